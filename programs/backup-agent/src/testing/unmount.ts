import { eventually } from './eventually.ts'
import { run } from './tool.ts'

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
