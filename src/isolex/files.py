"""Files and what goes wrong with them: whole or not at all, and one line that says why."""

from isolex.io.atomic import atomic as atomic
from isolex.io.atomic import write_bytes as write_bytes
from isolex.io.atomic import write_text as write_text
from isolex.io.refuse import StrPath as StrPath
