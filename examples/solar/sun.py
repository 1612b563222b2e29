"""The position of the sun, and the irradiance on a tilted plane.

Angles are in degrees; azimuths are clockwise from north (90 is east, 180 south). Times are arrays: the day of the year
from 1, and the solar time in hours. The formulas are those of J. W. Spencer (Search 2, 1971) for declination and equation
of time, and of J. A. Duffie and W. A. Beckman, Solar Engineering of Thermal Processes, chapters 1 and 2, for the rest.
"""

from __future__ import annotations

import numpy

ALBEDO = 0.2  # the share of light that the ground reflects


def _day_angle(day):
    return 2 * numpy.pi * (numpy.asarray(day) - 1) / 365


def declination(day):
    """How far the sun stands north of the equator."""
    g = _day_angle(day)
    return numpy.degrees(
        0.006918
        - 0.399912 * numpy.cos(g)
        + 0.070257 * numpy.sin(g)
        - 0.006758 * numpy.cos(2 * g)
        + 0.000907 * numpy.sin(2 * g)
        - 0.002697 * numpy.cos(3 * g)
        + 0.00148 * numpy.sin(3 * g)
    )


def equation_of_time(day):
    """The equation of time: by how many minutes a sundial is ahead of a clock."""
    g = _day_angle(day)
    return 229.18 * (
        0.000075
        + 0.001868 * numpy.cos(g)
        - 0.032077 * numpy.sin(g)
        - 0.014615 * numpy.cos(2 * g)
        - 0.040849 * numpy.sin(2 * g)
    )


def solar_time(day, clock, longitude, meridian):
    """The solar time at a longitude (east is positive) from the standard time of a meridian, in hours."""
    return clock + (4 * (longitude - meridian) + equation_of_time(day)) / 60


def towards_sun(declination, time, latitude):
    """Unit vectors towards the sun, (..., 3): east, north, up."""
    d, phi = numpy.radians(declination), numpy.radians(latitude)
    w = numpy.radians(15 * (numpy.asarray(time) - 12))
    east = -numpy.cos(d) * numpy.sin(w)
    north = numpy.cos(phi) * numpy.sin(d) - numpy.sin(phi) * numpy.cos(d) * numpy.cos(w)
    up = numpy.sin(phi) * numpy.sin(d) + numpy.cos(phi) * numpy.cos(d) * numpy.cos(w)
    return numpy.stack(numpy.broadcast_arrays(east, north, up), axis=-1)


def normal(tilt, azimuth):
    """The unit vectors at right angles to planes, (..., 3). Tilt 0 is horizontal, 90 upright facing the azimuth."""
    b, a = numpy.radians(tilt), numpy.radians(azimuth)
    parts = numpy.sin(b) * numpy.sin(a), numpy.sin(b) * numpy.cos(a), numpy.cos(b)
    return numpy.stack(numpy.broadcast_arrays(*parts), axis=-1)


def day_length(declination, latitude):
    """Hours from sunrise to sunset, of the sun's centre and without refraction."""
    cosine = -numpy.tan(numpy.radians(latitude)) * numpy.tan(numpy.radians(declination))
    return 2 / 15 * numpy.degrees(numpy.arccos(numpy.clip(cosine, -1, 1)))


def on_planes(sun, normals, direct, diffuse, horizontal):
    """The irradiance on planes, times x planes, from that at normal incidence, of the sky and of the horizontal plane.

    Light of the sky comes evenly from all directions (isotropic), and the ground reflects ALBEDO of what it receives.
    """
    cosine = numpy.where(sun[:, 2:] > 0, numpy.maximum(sun @ normals.T, 0), 0)
    up = normals[:, 2]
    return (
        direct[:, None] * cosine
        + diffuse[:, None] * (1 + up) / 2
        + ALBEDO * horizontal[:, None] * (1 - up) / 2
    )


def clear_sky(sun):
    """Direct, diffuse and horizontal irradiance of a sky without clouds.

    Direct: 1353 W/m2 x 0.7^(air mass^0.678), A. and M. Meinel, Applied Solar Energy, 1976; diffuse: a tenth of it.
    """
    up = numpy.maximum(sun[:, 2], 0.02)
    direct = numpy.where(sun[:, 2] > 0, 1353 * 0.7 ** ((1 / up) ** 0.678), 0)
    diffuse = 0.1 * direct
    return direct, diffuse, direct * numpy.maximum(sun[:, 2], 0) + diffuse
