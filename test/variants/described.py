"""What an application's app.json says, as options of pipeline_runner."""

import json


def description(apps, name):
    """The content of NAME/app.json below a folder."""
    return json.loads((apps / name / "app.json").read_text())


def input_options(described):
    """Of `reference`: how inputs are filled."""
    options = []
    for name, given in described.get("inputs", {}).items():
        text = f"{name}={given['least']}:{given['greatest']}"
        if given.get("whole"):
            text += ":whole"
        if "clamp_below" in given:
            text += f":clamp_below={given['clamp_below']}"
        options += ["--input", text]
    return options


def tolerance_options(described):
    """Of `run`: by how much outputs may differ."""
    options = []
    if "float_tolerance" in described:
        options += ["--tolerance", str(described["float_tolerance"])]
    if "integer_steps" in described:
        options += ["--integer-steps", str(described["integer_steps"])]
    return options
