import { join } from 'node:path'
import { measureCommand } from '../measure.ts'
import type { OpenArchiver } from './archiver.ts'

/** restic as it comes, with a repository on this disk. */
export const restic: OpenArchiver = async (folder) => {
  const repository = join(folder, 'repository')
  const environment = { RESTIC_PASSWORD: 'a password', RESTIC_CACHE_DIR: join(folder, 'cache') }
  const run = (...argv: string[]) =>
    measureCommand({ argv: ['restic', '-q', '-r', repository, ...argv], environment })
  await run('init')
  return {
    name: 'restic',
    repository,
    backUp: (image) => run('backup', image),
    restores: [
      { name: 'restic restore', into: (target) => run('restore', 'latest', '--target', target) },
      {
        name: 'restic restore --verify, sync',
        into: (target) =>
          measureCommand({
            argv: [
              ...[
                'sh',
                '-c',
                'restic -q -r "$1" restore latest --verify --target "$2" && sync -f "$2"',
                'sh',
              ],
              ...[repository, target],
            ],
            environment,
          }),
      },
    ],
    close: async () => {},
  }
}
