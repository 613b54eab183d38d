import type { TestContext } from 'node:test'
import { eventually } from '../eventually.ts'
import type { Scope } from '../scope.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { run } from '../tool.ts'

/** A test, or a scope beyond it on its behalf. */
export type ScopeWithSkip = Scope & Pick<TestContext, 'skip'>

/**
 * Mounts an image.
 *
 * @param mount the program and its parameters, which the image and the folder follow
 * @returns the folder, which nobody unmounts; undefined when this machine does not let one mount, and the test is skipped
 */
export function mountedFolder(
  t: ScopeWithSkip,
  image: string,
  mount: readonly [program: string, ...parameters: string[]],
): string | undefined {
  const folder = temporaryDirectory(t)
  const [program, ...parameters] = mount
  try {
    run(program, ...parameters, image, folder)
    return folder
  } catch (error) {
    t.skip(`cannot mount here: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

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
  const folder = mountedFolder(t, image, mount)
  if (folder === undefined) return false
  try {
    await work(folder)
  } finally {
    await unmount(folder)
  }
  return true
}

/** Unmounts a folder, once whoever was stopped lately has let go of its files. */
export function unmount(folder: string): Promise<void> {
  return eventually(`unmounting ${folder}`, () => {
    try {
      run('umount', folder)
      return true
    } catch (error) {
      if (error instanceof Error && /busy/.test(error.message)) return false
      throw error
    }
  })
}

/** Makes a block device of an image until the test ends; skips the test where the machine does not let one. */
export function attachLoop(
  t: ScopeWithSkip,
  image: string,
  ...options: readonly string[]
): string | undefined {
  try {
    const device = run('losetup', '--find', '--show', ...options, image).trim()
    t.after(() => run('losetup', '--detach', device))
    return device
  } catch (error) {
    t.skip(`no loop devices here: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
