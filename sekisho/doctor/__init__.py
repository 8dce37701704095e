"""What could keep a run from doing its work, looked for part by part, each finding with its remedy."""

from sekisho.doctor.diagnosis import Diagnosis, Level, examine, exit_code

__all__ = ["Diagnosis", "Level", "examine", "exit_code"]
