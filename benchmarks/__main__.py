"""`python -m benchmarks`: see the package."""

import sys

from benchmarks.run import main

sys.exit(main())
