import type { TestContext } from 'node:test'
import { run } from './tool.ts'

/** Makes a block device of an image until the test ends; skips the test where the machine does not let one. */
export function attachLoop(t: TestContext, image: string, ...options: readonly string[]): string | undefined {
  try {
    const device = run('losetup', '--find', '--show', ...options, image).trim()
    t.after(() => run('losetup', '--detach', device))
    return device
  } catch (error) {
    t.skip(`no loop devices here: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
