"""Which way should a solar panel face? Learners on a typical year of measured weather.

An arm is an orientation, a round an hour of daylight, the outcome the irradiance on the panel. The panel measures only
its own orientation; a model of the clear sky estimates from that what other orientations would have measured, less well
the larger the angle. In January and February every orientation is measured: this gives the weights. From March on the
learners play.

    /usr/bin/python3 examples/solar/solar.py [--years N] [--repetitions N] [--out DIRECTORY]

It prints the energy that each learner harvests, and writes solar.html, a report with a map of the orientations.
docs/solar.md says what the numbers mean. Needs numpy and matplotlib.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import warnings
from dataclasses import dataclass
from pathlib import Path

import hearsay
import numpy
import sun

# Greensboro, North Carolina; README.md says where the numbers come from.
DATA = Path(__file__).parent / "greensboro.csv"
LATITUDE, LONGITUDE, MERIDIAN = 36.1, -79.95, -75.0

TILTS = numpy.arange(10, 90, 10)
AZIMUTHS = numpy.arange(0, 360, 30)
FULL = 1200.0  # W/m2: an irradiance of FULL has loss 0, none has loss 1
CLEAREST = 1.2  # the largest clearness of the sky, in units of the clear sky of the model
BIN = 10  # degrees: pairs of orientations at about the same angle have one weight
QUANTILE = 0.995  # this quantile of the errors is used as their bound
NOISE_BOUND = 1.0
EACH = 3  # the calibration uses every third hour, because neighbouring hours are much alike
LEARNERS = ["exp3", "exp3-wix", "exp3-ivx", "exp3-ivc"]


@dataclass
class Year:
    """The hours of daylight: month, irradiance on every orientation, and irradiance under a clear sky."""

    month: numpy.ndarray
    measured: numpy.ndarray  # hours x orientations, W/m2
    clear: numpy.ndarray

    def of(self, months) -> Year:
        hours = numpy.isin(self.month, months)
        return Year(self.month[hours], self.measured[hours], self.clear[hours])


def orientations() -> tuple[numpy.ndarray, numpy.ndarray]:
    tilts, azimuths = numpy.meshgrid(TILTS, AZIMUTHS, indexing="ij")
    return tilts.ravel(), azimuths.ravel()


def read_year() -> Year:
    month, _, hour, horizontal, direct, diffuse = numpy.loadtxt(DATA, delimiter=",", skiprows=1).T
    day = numpy.repeat(numpy.arange(1, 366), 24)
    middle = sun.solar_time(day, hour - 0.5, LONGITUDE, MERIDIAN)
    position = sun.towards_sun(sun.declination(day), middle, LATITUDE)
    daylight = position[:, 2] > 0
    position, normals = position[daylight], sun.normal(*orientations())
    measured = sun.on_planes(position, normals, direct[daylight], diffuse[daylight], horizontal[daylight])
    return Year(month[daylight], measured, sun.on_planes(position, normals, *sun.clear_sky(position)))


def losses_of(irradiance: numpy.ndarray) -> numpy.ndarray:
    return 1 - numpy.clip(irradiance / FULL, 0, 1)


def readings_of(measured: numpy.ndarray, clear_played: numpy.ndarray, clear_seen: numpy.ndarray) -> numpy.ndarray:
    """Readings of other orientations as losses: the clearness of the sky times the clear-sky irradiance there."""
    clearness = numpy.clip(measured / clear_played, 0, CLEAREST)
    return losses_of(clearness * clear_seen)


@dataclass
class Calibration:
    """reading = offset + slope * loss + error, for every pair of orientations; the weight follows from the error."""

    weights: numpy.ndarray  # of orientations played x orientations seen, as the others
    offsets: numpy.ndarray
    slopes: numpy.ndarray
    table: dict[str, numpy.ndarray]  # of hearsay.Calibration, an entry for each bin of angles
    remarks: list[str]  # the warnings of the calibration


def calibrate(year: Year) -> Calibration:
    """Calibrates a line and a weight for each bin of angles, from every EACH-th hour."""
    normals = sun.normal(*orientations())
    angles = numpy.degrees(numpy.arccos(numpy.clip(normals @ normals.T, -1, 1)))
    measured, clear = year.measured[::EACH], year.clear[::EACH]
    played, seen = numpy.nonzero(~numpy.eye(len(angles), dtype=bool))
    hours = len(measured)
    pairs = {
        "played": numpy.tile(played, hours),
        "seen": numpy.tile(seen, hours),
        "reading": readings_of(measured[:, played], clear[:, played], clear[:, seen]).ravel(),
        "outcome": losses_of(measured[:, seen]).ravel(),
        "group": numpy.tile((angles[played, seen] // BIN * BIN).astype(int), hours),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the remarks are printed with the results
        found = hearsay.calibrate(pairs, by="group", noise_bound=NOISE_BOUND, quantile=QUANTILE)
    arcs, shape = found.arcs, angles.shape
    weights, offsets, slopes = numpy.eye(len(angles)), numpy.zeros(shape), numpy.ones(shape)
    for matrix, column in (weights, "weight"), (offsets, "offset"), (slopes, "slope"):
        matrix[arcs["played"], arcs["seen"]] = arcs[column]
    order = numpy.argsort([int(group) for group in found.table["group"]])
    table = {name: numpy.asarray(column)[order] for name, column in found.table.items()}
    return Calibration(weights, offsets, slopes, table, list(found.warnings))


def observations_of(year: Year, calibration: Calibration, hour: int, played) -> numpy.ndarray:
    """The observations of all orientations in an hour, from a panel in those that are played."""
    clear, measured = year.clear[hour], year.measured[hour]
    readings = readings_of(measured[played, None], clear[played, None], clear)
    estimates = (readings - calibration.offsets[played]) / calibration.slopes[played]
    shown = calibration.weights[played] * estimates
    own = numpy.arange(len(played)), played
    shown[own] = losses_of(measured[played])  # measured, not read from another
    return shown


class Panel:
    """The environment: in every hour of daylight the panel measures its orientation, and computes readings of the others."""

    def __init__(self, year: Year, calibration: Calibration):
        self.year, self.losses = year, losses_of(year.measured)
        self.calibration, self.graph = calibration, hearsay.Graph(calibration.weights)
        self.hour = -1

    def __deepcopy__(self, memo):
        return Panel(self.year, self.calibration)

    def next(self, history):
        self.hour = (self.hour + 1) % len(self.losses)
        return self.losses[self.hour], self.graph

    def observations(self, arm):
        return observations_of(self.year, self.calibration, self.hour, numpy.array([arm]))[0]


def energy(loss, rounds: int):
    """kWh per m2 from the sum of the losses over this many hours."""
    return (rounds - loss) * FULL / 1000


GROUND, INK = "#14171a", "#e6e9ec"  # of the dark form, as in hearsay's reports
INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
DARK = {"figure.facecolor": GROUND, "axes.facecolor": GROUND, **dict.fromkeys(INKED, INK)}


def encoded(figure) -> str:
    stream = io.BytesIO()
    figure.savefig(stream, dpi=110)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def picture(light: str, dark: str, description: str) -> str:
    """An image for light and for dark screens; the description is for those who cannot see it."""
    source = f'<source media="screen and (prefers-color-scheme: dark)" srcset="{dark}">'
    return f'<picture>{source}<img alt="{html.escape(description)}" src="{light}"></picture>'


def draw_map(values, title, label, most=None):
    """The orientations as seen from above: the middle is horizontal, outwards steeper, north at the top.

    ``most``: the end of a colour scale from 0; by default the scale is that of the values.
    """
    from matplotlib import pyplot, ticker

    figure, ax = pyplot.subplots(figsize=(4.4, 4), layout="constrained", subplot_kw={"polar": True})
    width = numpy.radians(AZIMUTHS[1])
    edges = numpy.radians(numpy.append(AZIMUTHS, 360)) - width / 2
    radii = numpy.append(TILTS, TILTS[-1] + 10) - 5
    ax.grid(False)
    limits = {} if most is None else {"vmin": 0, "vmax": most}
    mesh = ax.pcolormesh(edges, radii, values.reshape(len(TILTS), len(AZIMUTHS)), cmap="viridis", **limits)
    ax.set_theta_zero_location("N")
    ax.set_theta_direction(-1)
    ax.set_xticks(numpy.radians([0, 90, 180, 270]), ["N", "E", "S", "W"])
    ax.set_yticks([20, 40, 60], ["20°", "40°", "60°"], color="white", fontsize=7)
    ax.set_title(title, fontsize=10)
    figure.colorbar(mesh, ax=ax, shrink=0.75, label=label, format=ticker.StrMethodFormatter("{x:,.10g}"))
    return figure


def draw_weights(calibration: Calibration):
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(6, 4), layout="constrained")
    ax.plot([int(begin) + BIN / 2 for begin in calibration.table["group"]], calibration.table["weight"], "o-")
    ax.set(xlabel="angle between orientations, degrees", ylabel="weight", ylim=(0, 1))
    return figure


def draw_regret(result):
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(6, 4), layout="constrained")
    result.plot(ax, certificate=False, band="ci")
    ax.set(xlabel="hour of daylight")
    return figure


@dataclass
class Pictures:
    """As HTML, each for a light and for a dark screen."""

    maps: list[str]  # of the energy, then one of each learner
    weights: str
    regret: str


def draw(result, year: Year, calibration: Calibration, rounds: int) -> Pictures:
    from matplotlib import pyplot, rc_context

    def both(description, draw_once, *arguments):
        forms = []
        for settings in ({}, DARK):
            with rc_context(settings):
                figure = draw_once(*arguments)
                forms.append(encoded(figure))
                pyplot.close(figure)
        return picture(*forms, description)

    harvest = year.measured.sum(axis=0) / 1000
    shares = {name: 100 * counts.mean(axis=0) / rounds for name, counts in result.plays().items()}
    most = max(share.max() for share in shares.values())  # all learners have one scale, so that they can be compared
    maps = [
        both(
            "Map of all orientations: the energy of each",
            draw_map,
            harvest,
            "energy of a fixed orientation",
            "kWh/m², March to December",
        )
    ]
    for name, share in shares.items():
        description = f"Map of all orientations: how often {name} played each"
        maps.append(both(description, draw_map, share, f"hours played by {name}", "% of the hours", most))
    return Pictures(
        maps,
        both("The weight by the angle between two orientations", draw_weights, calibration),
        both("The regret of each learner by the hour", draw_regret, result),
    )


STYLE = """:root { --ground: #fff; --ink: #1c2126; --line: #ccc; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #14171a; --ink: #e6e9ec; --line: #2e343a; } }
body { font: 16px/1.5 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; background: var(--ground); color: var(--ink); }
.table { overflow-x: auto; } .maps { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20em), 1fr)); gap: 1em; }
img { display: block; width: 100%; max-width: 40em; } @media print { .maps { grid-template-columns: repeat(3, 1fr); } picture { break-inside: avoid; } }
table { border-collapse: collapse; } td, th { padding: .2em 1em; text-align: right; }
th:first-child, td:first-child { text-align: left; } tr { border-bottom: 1px solid var(--line); } picture + .table { margin-top: 1em; }
@media (max-width: 40em) { td, th { padding: .2em .35em; font-size: 13px; } }"""


def table_of(header: list[str], rows: list[list[str]]) -> str:
    lines = ["<tr>" + "".join(f"<th>{html.escape(each)}</th>" for each in header) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{html.escape(each)}</td>" for each in row) + "</tr>" for row in rows]
    return '<div class="table"><table>' + "\n".join(lines) + "</table></div>"


def report(rows, calibration: Calibration, pictures: Pictures, beyond: float) -> str:
    keys = ["offset", "slope", "residual_bound", "spread", "weight"]
    table = calibration.table
    fits = [
        [f"{begin}° to {int(begin) + BIN}°", f"{pairs:,}"] + [f"{value:.3f}" for value in values]
        for begin, pairs, *values in zip(table["group"], table["pairs"], *(table[key] for key in keys), strict=True)
    ]
    remarks = "".join(f"<li>{html.escape(remark)}</li>" for remark in calibration.remarks)
    return f"""<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Orientations of a solar panel</title><style>{STYLE}</style>
<h1>Which way should a solar panel face?</h1>
<p>Greensboro, North Carolina, a typical year (TMY3). Weights from January and February, learners from March on.</p>
{table_of(["", "energy, kWh/m²", "share of the best"], rows)}
<h2>Regret of the learners</h2>{pictures.regret}
<h2>Orientations</h2><div class="maps">{"".join(pictures.maps)}</div>
<p>The maps of the learners have one scale of colours.</p>
<h2>What a measurement says of other orientations</h2>{pictures.weights}
{table_of(["angle", "pairs", "offset", "slope", "error bound", "spread", "weight"], fits)}
<p>What the calibration says against the model:</p><ul>{remarks}</ul>
<p>From March on, {100 * beyond:.2f} % of the observations have noise beyond the bound; {100 * (1 - QUANTILE):.1f} % in January and
February.</p></html>
"""


def share_beyond(year: Year, calibration: Calibration) -> float:
    """The share of observations whose noise is beyond the bound."""
    noisy, arms = calibration.weights < 1, numpy.arange(len(calibration.weights))
    losses, beyond = losses_of(year.measured), 0
    for hour in range(len(losses)):
        observed = observations_of(year, calibration, hour, arms)
        noise = (observed - calibration.weights * losses[hour])[noisy] / (1 - calibration.weights[noisy])
        beyond += int((numpy.abs(noise) > NOISE_BOUND).sum())
    return beyond / (len(losses) * int(noisy.sum()))


def compare(year: Year, calibration: Calibration, years: int, repetitions: int):
    rounds = years * len(year.month)
    return hearsay.simulate(
        Panel(year, calibration),
        LEARNERS,
        rounds=rounds,
        repetitions=repetitions,
        noise_bound=NOISE_BOUND,
        plays=True,
    )


def count(text: str) -> int:
    """A number of the command line that must be at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a whole number from 1 on")
    return int(text)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--years", type=count, default=1, help="how often the learners meet March to December")
    parser.add_argument("--repetitions", type=count, default=10)
    parser.add_argument("--out", type=Path, default=Path("."), help="the directory of solar.html")
    options = parser.parse_args(arguments)

    year = read_year()
    calibration = calibrate(year.of([1, 2]))
    rest = year.of(range(3, 13))
    result = compare(rest, calibration, options.years, options.repetitions)
    rounds = int(result["round"].max())
    harvest = options.years * rest.measured.sum(axis=0) / 1000
    best = harvest.max()
    tilts, azimuths = orientations()
    rows = []
    for name, totals in {
        "best fixed orientation in hindsight": harvest,
        "best under a clear sky from March on, without a measurement": rest.clear.sum(axis=0),
        "best of the measurements in January and February": year.of([1, 2]).measured.sum(axis=0),
    }.items():
        arm = totals.argmax()
        rows.append([f"{name}: tilt {tilts[arm]}°, azimuth {azimuths[arm]}°", harvest[arm], 0.0])
    rows.append(["mean of all orientations", harvest.mean(), 0.0])
    for name, curve in result.at_horizon().curves():
        error = numpy.nan_to_num(curve["regret_standard_error"][0]) * FULL / 1000
        rows.append([name, float(energy(curve["loss"][0], rounds)), float(error)])
    shown = [
        [name, f"{value:,.1f}" + (f" ± {error:.1f}" if error else ""), f"{100 * value / best:.1f} %"]
        for name, value, error in rows
    ]
    for remark in calibration.remarks:
        print(f"calibration: {remark}")
    for row in shown:
        print(f"{row[0]:<88} {row[1]:>12} kWh/m2 {row[2]:>8}")
    text = report(shown, calibration, draw(result, rest, calibration, rounds), share_beyond(rest, calibration))
    path = options.out / "solar.html"
    path.write_text(text)
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
