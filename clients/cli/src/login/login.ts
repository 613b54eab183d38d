import { hostname } from 'node:os'
import { type AdministrationClient, answer, NotAuthenticated, NotFound } from '@palisade/sdk'
import { apiCommand, examples, wholeNumber } from '../api-command.ts'
import { connect, localServer, profileNameOf, profileOf, serverOf } from '../connection.ts'
import { exitStatus, UsageError } from '../exit-status.ts'
import { calls } from '../operations.ts'
import { printThing, say } from '../output.ts'
import { type Profile, readProfiles, writeProfiles } from '../profiles.ts'
import { readable } from '../readable.ts'
import { addLoginOptions, credentialsOf, withSession } from './session.ts'

/** `palisade login`: stores an API token of an operator in a profile. */
export function loginCommand() {
  const command = apiCommand('login')
    .description('log in, and keep an API token for the commands that follow')
    .argument('[url]', `where the services listen; ${localServer} when neither this nor a profile says`)
    .option('--expires <days>', 'how long the token is good', wholeNumber({ min: 1, max: 3650 }), 90)
    .addHelpText(
      'after',
      examples(
        'palisade login https://palisade.example.org:8444',
        'palisade login --username ada --password-file password.txt --expires 7',
        'palisade login https://test.example.org:8444 --profile test',
      ),
    )
    .action(async (url, options) => {
      const { profiles, current } = readProfiles()
      const serverOrigin = serverOf({ server: url ?? options.server })
      const name = options.profile ?? (serverOrigin === undefined ? current : profileNameOf(serverOrigin))
      const former = name === undefined ? undefined : profiles[name]
      const server = serverOrigin ?? former?.server ?? localServer
      const profile = await withSession({ ...credentialsOf(command), server }, async (login) => {
        const { username, grants } = login.session
        const token = await answer(
          login.administration.POST('/operators/{operator}/tokens', {
            params: { path: { operator: username } },
            body: { name: `palisade login on ${hostname()}`, grants, lifetimeDays: options.expires },
          }),
        )
        if (former?.server === server && former.username === username) {
          await withdraw(login.administration, former)
        }
        return { server, username, token: token.token, tokenId: token.id }
      })
      const profileName = name ?? profileNameOf(server)
      writeProfiles({
        current: profileName,
        profiles: { ...readProfiles().profiles, [profileName]: profile },
      })
      if (process.env.PALISADE_TOKEN) {
        console.error('Warning: PALISADE_TOKEN is set, and commands take it in place of this login.')
      }
      say(
        `You are logged in to ${server} as ${profile.username} for ${options.expires} days (profile ${profileName}).`,
        options,
      )
    })
  addLoginOptions(command)
  calls(command, 'admin', 'logIn', 'createOperatorToken', 'logOut')
  return command
}

/** `palisade logout`: revokes the token of a profile, and forgets it. */
export function logoutCommand() {
  const command = apiCommand('logout')
    .description('revoke the API token of a login, and forget it')
    .addHelpText('after', examples('palisade logout', 'palisade logout --profile test'))
    .action(async (options) => {
      const profile = profileOf(options)
      if (profile === undefined) throw new UsageError('You are not logged in.', exitStatus.notAllowed)
      try {
        await withdraw(connect({ profile: profile.name }).administration, profile)
      } catch (error) {
        // It has expired, or somebody has withdrawn it.
        if (!(error instanceof NotAuthenticated)) throw error
      }
      forgetProfile(profile.name)
      say(`You are logged out of ${profile.server}.`, options)
    })
  calls(command, 'admin', 'deleteOperatorToken')
  return command
}

/** `palisade whoami`. */
export function whoamiCommand() {
  const command = apiCommand('whoami')
    .description('show who you are to which server, and what you may do')
    .addHelpText('after', examples('palisade whoami', 'palisade whoami --output json'))
    .action(async (options) => {
      const { administration, server } = connect(options)
      const { username, displayName, grants } = await answer(administration.GET('/session'))
      if (options.quiet) console.log(username)
      else {
        const profile = process.env.PALISADE_TOKEN ? undefined : profileOf(options)?.name
        const who = { username, displayName, grants, server, credentials: profile ?? 'PALISADE_TOKEN' }
        printThing(readable(who, options), options)
      }
    })
  calls(command, 'admin', 'getSession')
  return command
}

/** Takes a profile out of the file; commands take another one only when it is chosen. */
export function forgetProfile(name: string): void {
  const { current, profiles } = readProfiles()
  const { [name]: _, ...others } = profiles
  writeProfiles({ ...(current === undefined || current === name ? {} : { current }), profiles: others })
}

async function withdraw(administration: AdministrationClient, { username, tokenId }: Profile): Promise<void> {
  try {
    await answer(
      administration.DELETE('/operators/{operator}/tokens/{token}', {
        params: { path: { operator: username, token: tokenId }, header: { 'if-match': '*' } },
      }),
    )
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
}
