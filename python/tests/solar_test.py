"""The example of the solar panel: its physics compared with published values, its calibration, and a short run of it."""

import re
import sys
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "examples" / "solar"))

import solar  # noqa: E402
import sun  # noqa: E402


def zenith_and_azimuth(declination, time, latitude):
    east, north, up = sun.towards_sun(declination, time, latitude)
    return numpy.degrees(numpy.arccos(up)), numpy.degrees(numpy.arctan2(east, north)) % 360


def test_the_sun_stands_where_the_book_says():
    """Duffie and Beckman, examples 1.6.1 and 1.6.2, Madison (43 N): azimuths there are from south, west positive."""
    zenith, azimuth = zenith_and_azimuth(-14, 9.5, 43)
    assert zenith == pytest.approx(66.5, abs=0.1) and azimuth - 180 == pytest.approx(-40.0, abs=0.1)
    zenith, azimuth = zenith_and_azimuth(23.1, 18.5, 43)
    assert zenith == pytest.approx(79.6, abs=0.1) and azimuth - 180 == pytest.approx(112.0, abs=0.1)
    # The angle to a plane of tilt 45, 15 degrees west of south, at half past ten: 35 degrees.
    cosine = sun.towards_sun(-14, 10.5, 43) @ sun.normal(45, 195)
    assert numpy.degrees(numpy.arccos(cosine)) == pytest.approx(35, abs=0.3)


def test_declination_and_equation_of_time_have_their_known_extremes():
    days = numpy.arange(1, 366)
    assert sun.declination(days).max() == pytest.approx(23.45, abs=0.02)
    assert sun.declination(days).min() == pytest.approx(-23.45, abs=0.05)
    assert days[sun.declination(days).argmax()] in (171, 172, 173)  # the 21st of June
    assert abs(sun.declination(80)) < 0.5 and abs(sun.declination(266)) < 0.5  # the equinoxes
    assert sun.equation_of_time(days).min() == pytest.approx(-14.3, abs=0.2)  # the 11th of February
    assert sun.equation_of_time(days).max() == pytest.approx(16.4, abs=0.1)  # the 3rd of November
    # Duffie and Beckman, example 1.5.1: at Madison (89.4 W) 10:30 central time on February 3 is 10:19.
    assert sun.solar_time(34, 10.5, -89.4, -90) == pytest.approx(10 + 19 / 60, abs=1 / 60)


def test_days_have_their_known_lengths():
    declinations = numpy.linspace(-23.45, 23.45, 11)
    assert sun.day_length(declinations, 0) == pytest.approx(12)  # on the equator
    assert sun.day_length(0, numpy.array([10, 36.1, 60])) == pytest.approx(12)  # at the equinox
    assert sun.day_length(23.45, 66.6) == 24 and sun.day_length(-23.45, 66.6) == 0  # beyond the polar circle
    # The sun stands on the horizon at sunset.
    for declination in declinations:
        sunset = 12 + sun.day_length(declination, 36.1) / 2
        assert sun.towards_sun(declination, sunset, 36.1)[2] == pytest.approx(0, abs=1e-12)


def test_the_data_have_the_published_sums_and_agree_with_the_sun():
    _, _, hour, horizontal, direct, diffuse = numpy.loadtxt(solar.DATA, delimiter=",", skiprows=1).T
    assert len(hour) == 8760
    sums = [each.sum() / 1000 for each in (horizontal, direct, diffuse)]
    assert sums == pytest.approx([1566.2, 1476.5, 682.2], abs=0.1)
    day = numpy.repeat(numpy.arange(1, 366), 24)
    time = sun.solar_time(day, hour - 0.5, solar.LONGITUDE, solar.MERIDIAN)
    position = sun.towards_sun(sun.declination(day), time, solar.LATITUDE)
    up = position[:, 2] > 0
    difference = (direct * position[:, 2] + diffuse - horizontal)[up]
    assert abs(difference).mean() < 1.0  # W/m2: the three columns and the sun's position agree
    # Published sums on planes, kWh/m2, isotropic sky, albedo 0.2.
    expected = {(0, 180): 1562, (20, 180): 1692, (30, 180): 1703, (60, 180): 1525, (90, 180): 1082}
    expected |= {(30, 270): 1453, (30, 90): 1447}
    for (tilt, azimuth), energy in expected.items():
        plane = sun.normal(tilt, [azimuth])
        found = sun.on_planes(position[up], plane, direct[up], diffuse[up], horizontal[up]).sum() / 1000
        assert found == pytest.approx(energy, rel=0.002)  # the hours of sunrise and sunset may count in part


@pytest.fixture(scope="module")
def year():
    return solar.read_year()


@pytest.fixture(scope="module")
def calibration(year):
    return solar.calibrate(year.of([1, 2]))


def test_weights_fall_with_the_angle(calibration):
    weights = {int(begin): weight for begin, weight in zip(calibration.table["group"], calibration.table["weight"])}
    assert weights[0] > 0.85 and 0.7 < weights[30] < 0.85 and 0.45 < weights[90] < 0.65
    falling = [weights[angle] for angle in range(0, 100, 10)]
    assert falling == sorted(falling, reverse=True)
    assert (numpy.diag(calibration.weights) == 1).all()


def test_observations_follow_the_model(year, calibration):
    """In the hours of the calibration all but the quantile of the observations have noise within the bound."""
    winter = year.of([1, 2])
    audit = solar.Year(*(each[:: solar.EACH] for each in (winter.month, winter.measured, winter.clear)))
    panel = solar.Panel(audit, calibration)
    noise = []
    for hour in range(len(audit.month)):
        losses, graph = panel.next([])
        observed = solar.observations_of(audit, calibration, hour, numpy.arange(96))
        assert (numpy.diag(observed) == losses).all()
        assert (panel.observations(hour % 96) == observed[hour % 96]).all()
        other = calibration.weights < 1
        noise.append(((observed - graph.to_numpy() * losses) / numpy.where(other, 1 - calibration.weights, 1))[other])
    beyond = (numpy.abs(noise) > solar.NOISE_BOUND + 1e-12).mean()
    # Weights are lower confidence limits, so that the bound is a little wider than the quantile.
    assert 0.8 * (1 - solar.QUANTILE) < beyond <= 1 - solar.QUANTILE
    # Lines fitted by least squares leave no mean error; each bin of angles has its own scale.
    bins = (calibration.weights[other], numpy.array(noise).mean(axis=0))
    for weight in numpy.unique(bins[0]):
        assert abs(bins[1][bins[0] == weight].mean()) < 1e-9
    assert solar.share_beyond(audit, calibration) == pytest.approx(beyond, abs=1e-4)


def test_remarks_of_the_calibration_are_shown(calibration):
    """The pairs do not follow the model, and the example must not hide what hearsay says about that."""
    remarks = " ".join(calibration.remarks)
    assert "p = 0;" not in remarks and "p < 1e-300;" in remarks
    assert "mean changes with the loss" in remarks and "different lines" in remarks and "heavy tails" in remarks


def test_one_command_writes_a_report(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(solar, "LEARNERS", ["exp3", "exp3-wix"])
    solar.main(["--repetitions", "1", "--out", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "best fixed orientation in hindsight: tilt 20°, azimuth 180°" in printed
    text = (tmp_path / "solar.html").read_text()
    # The weights, the regret, the energy and each of two learners; the page has a dark form, too.
    assert text.count("<img") == 5 and text.count("prefers-color-scheme: dark") == 6
    assert len(re.findall('<img alt="[^"]{20,}" src=', text)) == 5
    assert text.index("Regret of the learners") < text.index("The regret of each learner") < text.index("<h2>Orientations")
    assert "min-width" not in text  # pictures are scaled to a phone
    assert "exp3-wix" in text and "mean changes with the loss" in text
    energies = [float(line.split()[-4].replace(",", "")) for line in printed.splitlines() if "kWh" in line]
    best, clear, winter, mean, *learners = energies
    assert best >= clear >= winter > mean and len(learners) == 2
    assert all(0.9 * mean < each < best for each in learners)
