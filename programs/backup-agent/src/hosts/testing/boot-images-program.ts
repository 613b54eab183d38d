/** A program that makes the boot images of this machine and prints where they are, as JSON; or why there are none. */
import { bootImages } from './boot-images.ts'

let why = ''
const images = bootImages({
  skip(message) {
    why = message ?? ''
  },
})
process.stdout.write(`${JSON.stringify(images === undefined ? { why } : { images })}\n`)
