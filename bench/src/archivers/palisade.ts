import { join } from 'node:path'
import { Agent, Backups, Server } from '@palisade/tests'
import { measurePrograms } from '../measure.ts'
import type { OpenArchiver } from './archiver.ts'

/** A server and an agent, which run before the measured work begins. */
export const palisade: OpenArchiver = async (folder) => {
  const server = await Server.start(folder)
  const agent = await Agent.start(server, folder)
  const backups = await Backups.connect(server)
  const measure = (work: () => Promise<void>) =>
    measurePrograms({ agent: agent.program, server: server.program }, work)
  let revision = 0
  return {
    name: 'palisade',
    repository: join(folder, 'data'),
    backUp: (image) =>
      measure(async () => {
        revision = await backups.backUp(image)
      }),
    restores: ['Vhdx', 'Vhd'].map((format) => ({
      name: `palisade, ${format}`,
      into: (target) =>
        measure(async () => {
          await backups.restore(revision, target, format)
        }),
    })),
    close: async () => {
      await agent.program.stop()
      await server.program.stop()
    },
  }
}
