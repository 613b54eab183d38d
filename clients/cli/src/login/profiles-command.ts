import { Command } from '@commander-js/extra-typings'
import { examples } from '../api-command.ts'
import { exitStatus, UsageError } from '../exit-status.ts'
import { outputOption, printList, quietOption, say } from '../output.ts'
import { readProfiles, writeProfiles } from '../profiles.ts'
import { forgetProfile } from './login.ts'

/** `palisade profiles`: the logins of this user of this machine. */
export function profilesCommand() {
  return new Command('profiles')
    .description('list the logins that are kept here, and choose one')
    .addCommand(list())
    .addCommand(use())
    .addCommand(remove())
}

function list() {
  return new Command('list')
    .description('list profiles; the current one is what commands take')
    .addOption(outputOption())
    .addOption(quietOption())
    .addHelpText('after', examples('palisade profiles list'))
    .action((options) => {
      const { current, profiles } = readProfiles()
      printList(
        Object.entries(profiles).map(([name, { server, username }]) => ({
          name,
          server,
          username,
          isCurrent: name === current,
        })),
        [
          ['name', ({ name }) => name],
          ['server', ({ server }) => server],
          ['username', ({ username }) => username],
          ['current', ({ isCurrent }) => isCurrent],
        ],
        options,
      )
    })
}

function use() {
  return new Command('use')
    .description('have commands take this profile when none is named')
    .argument('<name>')
    .addOption(quietOption())
    .addHelpText('after', examples('palisade profiles use test'))
    .action((name, options) => {
      const { profiles } = readProfiles()
      requireProfile(name)
      writeProfiles({ current: name, profiles })
      say(`Commands take profile ${name}.`, options)
    })
}

function remove() {
  return new Command('remove')
    .description('forget a profile without revoking its token, as when its server is gone')
    .argument('<name>')
    .addOption(quietOption())
    .addHelpText('after', examples('palisade profiles remove test'))
    .action((name, options) => {
      requireProfile(name)
      forgetProfile(name)
      say(
        `Profile ${name} is forgotten. Its token is good until it expires: "palisade logout" revokes.`,
        options,
      )
    })
}

function requireProfile(name: string): void {
  const { profiles } = readProfiles()
  if (Object.hasOwn(profiles, name)) return
  const names = Object.keys(profiles).join(', ') || 'none'
  throw new UsageError(`There is no profile ${name}. There is: ${names}.`, exitStatus.notFound)
}
