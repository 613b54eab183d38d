import { build, setUp } from './set-up.mjs'

setUp()
build()
