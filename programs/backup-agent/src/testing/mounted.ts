import type { TestContext } from 'node:test'
import { temporaryDirectory } from './temporary-directory.ts'
import { run } from './tool.ts'
import { unmount } from './unmount.ts'

/**
 * Does something with an image that is mounted, and unmounts it.
 *
 * @param mount the program and its parameters, which the image and the folder follow
 * @returns false when this machine does not let one mount; the test is then skipped
 */
export async function whileMounted(
  t: TestContext,
  image: string,
  mount: readonly [program: string, ...parameters: string[]],
  work: (folder: string) => Promise<void> | void,
): Promise<boolean> {
  const folder = temporaryDirectory(t)
  const [program, ...parameters] = mount
  try {
    run(program, ...parameters, image, folder)
  } catch (error) {
    t.skip(`cannot mount here: ${error instanceof Error ? error.message : error}`)
    return false
  }
  try {
    await work(folder)
  } finally {
    await unmount(folder)
  }
  return true
}
