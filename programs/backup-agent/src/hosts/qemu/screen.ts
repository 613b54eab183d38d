/**
 * What a machine shows. QEMU writes the picture into the one folder where it may write; where the display is in text mode, the letters
 * are at 0xB8000 in the machine's memory: 80 columns and 25 rows of two bytes, letter and colour (IBM's VGA, mode 3).
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Screen } from '../host-driver.ts'
import { type QmpPlace, qmp } from './qmp.ts'
import { readEnd } from './read-end.ts'

const textMemoryAddress = 0xb8000
const columns = 80
const rows = 25
const bytesPerLetter = 2
/** Room for a picture of 4096 by 2160 points that cannot be compressed. */
const screenMaxBytes = 32 * 1024 * 1024
/** How large QEMU draws text mode: nine or eight by sixteen points a letter. */
const textModes: readonly string[] = ['720x400', '640x400']

/** A machine's folder, in which its QEMU was started, and where that listens. */
interface MachinePlace extends QmpPlace {
  readonly path: string
}

/**
 * Reads the screen of a running machine.
 *
 * @throws the system's error when QEMU does not answer
 */
export async function readScreen(folder: MachinePlace): Promise<Screen> {
  const png = await saved(folder, 'screen.png', (filename) => ({
    execute: 'screendump',
    arguments: { filename, format: 'png' },
  }))
  if (!textModes.includes(sizeOf(png))) return { png, text: '' }
  const size = columns * rows * bytesPerLetter
  const memory = await saved(folder, 'screen.text', (filename) => ({
    execute: 'pmemsave',
    arguments: { val: textMemoryAddress, size, filename },
  }))
  return { png, text: lettersOf(memory) }
}

/** Has QEMU write a file, and takes it away. */
async function saved(
  folder: MachinePlace,
  name: string,
  command: (filename: string) => Parameters<typeof qmp>[1],
): Promise<Buffer> {
  const filename = join('run', name)
  const path = join(folder.path, filename)
  try {
    await qmp(folder, command(filename))
    return await readEnd(path, screenMaxBytes)
  } finally {
    await rm(path, { force: true })
  }
}

/** Width and height from the header of a PNG (RFC 2083, section 4.1.1). */
function sizeOf(png: Buffer): string {
  return png.length < 24 ? '' : `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
}

function lettersOf(memory: Buffer): string {
  const lines: string[] = []
  for (let row = 0; row < rows; row++) {
    let line = ''
    for (let column = 0; column < columns; column++) {
      const letter = memory[(row * columns + column) * bytesPerLetter] ?? 0
      line += letter >= 0x20 && letter < 0x7f ? String.fromCharCode(letter) : ' '
    }
    lines.push(line.trimEnd())
  }
  return lines.join('\n').trimEnd()
}
