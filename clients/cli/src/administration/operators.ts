import { answer } from '@palisade/sdk'
import { apiCommand, examples } from '../api-command.ts'
import { readSecret } from '../input-file.ts'
import { ask, askSecret } from '../login/ask.ts'
import { addLoginOptions, loginTarget, withSession } from '../login/session.ts'
import { calls } from '../operations.ts'
import { say } from '../output.ts'
import { resourceCommand } from '../resources/resource-command.ts'
import { operators, passkeys } from '../resources/resources.ts'

/** `palisade operators`. */
export function operatorsCommand() {
  return resourceCommand(operators)
    .addCommand(password())
    .addCommand(totp())
    .addCommand(totpRemove())
    .addCommand(resourceCommand(passkeys))
}

function password() {
  const command = apiCommand('password')
    .description('change your own password, which ends all of your sessions')
    .option('--new-password-file <file>', 'a file with the new one; asked for when left out')
    .addHelpText(
      'after',
      examples(
        'palisade operators password',
        'palisade operators password --username ada --password-file old.txt --new-password-file new.txt',
      ),
    )
  addLoginOptions(command)
  calls(command, 'admin', 'passwordOfOperator')
  return command.action((options) =>
    withSession(
      loginTarget(command, options),
      async ({ session, administration, password: currentPassword }) => {
        const newPassword = options.newPasswordFile
          ? readSecret(options.newPasswordFile)
          : await askSecret('New password: ', '--new-password-file')
        await answer(
          administration.POST('/operators/{operator}/password', {
            params: { path: { operator: session.username } },
            body: { currentPassword, newPassword },
          }),
        )
        say(`The password of ${session.username} is changed. API tokens go on.`, options)
      },
    ),
  )
}

function totp() {
  const command = apiCommand('totp')
    .description('use an authenticator app (TOTP) as your second factor')
    .addHelpText('after', examples('palisade operators totp'))
  addLoginOptions(command)
  calls(command, 'admin', 'totpOfOperator', 'totpConfirmOfOperator')
  return command.action((options) =>
    withSession(loginTarget(command, options), async ({ session, administration }) => {
      const params = { path: { operator: session.username } }
      const { secret, address } = await answer(administration.POST('/operators/{operator}/totp', { params }))
      console.error(`Enter this secret into the app: ${secret}\nor open this address with it: ${address}`)
      const code = await ask('Code that the app shows: ', 'the code at a terminal')
      await answer(administration.POST('/operators/{operator}/totp-confirm', { params, body: { code } }))
      say('From now on, each login asks for a code.', options)
    }),
  )
}

function totpRemove() {
  const command = apiCommand('totp-remove')
    .description('remove a second factor: your own, or as an owner that of another operator')
    .argument('[operator]', 'another one, who has lost it')
    .addHelpText('after', examples('palisade operators totp-remove', 'palisade operators totp-remove ada'))
  addLoginOptions(command)
  calls(command, 'admin', 'totpRemoveOfOperator')
  return command.action((operator, options) =>
    withSession(loginTarget(command, options), async ({ session, administration }) => {
      const isOwn = operator === undefined || operator === session.username
      const body = isOwn
        ? { code: await ask('A new code of the authenticator app: ', 'the code at a terminal') }
        : {}
      const path = { operator: operator ?? session.username }
      const changed = await answer(
        administration.POST('/operators/{operator}/totp-remove', { params: { path }, body }),
      )
      say(`${changed.username} has no second factor any more.`, options)
    }),
  )
}
