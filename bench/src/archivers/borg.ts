import { join } from 'node:path'
import { measureCommand } from '../measure.ts'
import type { OpenArchiver } from './archiver.ts'

/** borg with its usual chunks, encryption with BLAKE2, and a compression that it knows: lz4, zstd. */
export const borg =
  (compression: string): OpenArchiver =>
  async (folder) => {
    const repository = join(folder, 'repository')
    const environment = { BORG_PASSPHRASE: 'a password', BORG_BASE_DIR: folder }
    const run = (...argv: string[]) => measureCommand({ argv: ['borg', ...argv], environment })
    await run('init', '--encryption', 'repokey-blake2', repository)
    let last = 0
    return {
      name: `borg ${compression}`,
      repository,
      backUp: (image) => {
        last++
        return run('create', '--compression', compression, `${repository}::${last}`, image)
      },
      restores: [
        {
          name: `borg extract (${compression})`,
          // It extracts below the folder that it is started in.
          into: (target) =>
            measureCommand({ argv: ['borg', 'extract', `${repository}::${last}`], cwd: target, environment }),
        },
      ],
      close: async () => {},
    }
  }
