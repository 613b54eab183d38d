#!/bin/sh
# The palisade command of Debian's package, on the Node that the package has.
exec /usr/lib/palisade/node /usr/lib/palisade/bin/palisade.js "$@"
