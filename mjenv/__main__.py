"""``python -m mjenv``."""

import sys

from mjenv.command import main

sys.exit(main())
