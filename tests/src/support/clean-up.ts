import { rmSync } from 'node:fs'
import { Program } from './program.ts'
import { folders } from './server.ts'

/** Ends every program and removes every folder that a test left behind; for a file's `after`. */
export async function cleanUp(): Promise<void> {
  await Program.stopAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}
