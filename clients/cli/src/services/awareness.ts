import { Command } from '@commander-js/extra-typings'
import { type AwarenessClient, answer } from '@palisade/sdk'
import { apiCommand, examples, wholeNumber } from '../api-command.ts'
import { connectToAwareness } from '../connection.ts'
import { calls } from '../operations.ts'
import { printEach, printThing } from '../output.ts'
import { resourceCommand } from '../resources/resource-command.ts'
import { awareness } from '../resources/resources.ts'

/** `palisade awareness`: what operators administer of the awareness service, and its own API. */
export function awarenessCommand() {
  const command = new Command('awareness').description('campaigns and their results, users and API keys')
  for (const resource of awareness) command.addCommand(resourceCommand(resource))
  return command.addCommand(
    new Command('api')
      .description('campaigns as users of the awareness API see them')
      .addCommand(campaigns())
      .addCommand(campaign()),
  )
}

/** A command of the awareness API, which has its own users. */
function awarenessApiCommand(name: string) {
  const command = apiCommand(name)
    .option('--username <name>', 'a user of the awareness API; else PALISADE_AWARENESS_USERNAME')
    .option('--password-file <file>', 'a file with his password; else PALISADE_AWARENESS_PASSWORD')
    .option('--api-key-file <file>', 'a file with the API key; else PALISADE_AWARENESS_API_KEY')
  calls(command, 'awareness', 'authenticate')
  return command
}

const credentials = '--username api@example.org --password-file password.txt --api-key-file key.txt'

function campaigns() {
  const command = awarenessApiCommand('campaigns')
    .description('list campaigns with their results')
    .option('--after <id>', 'those behind this one', wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }))
    .addHelpText('after', examples(`palisade awareness api campaigns ${credentials}`))
    .action(async (options) => {
      await printEach(
        eachCampaign(connectToAwareness(options, options), options.after),
        [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['status', ({ status }) => status],
          ['launched', ({ launched }) => launched],
          ['sent', ({ sent }) => sent],
          ['opened', ({ opened }) => opened],
          ['clicked', ({ clicked }) => clicked],
          ['submitted', ({ submitted }) => submitted],
          ['reported', ({ reported }) => reported],
        ],
        options,
      )
    })
  calls(command, 'awareness', 'listCampaigns', 'listCampaignsAfter')
  return command
}

/** @param after the id of a campaign; all from the first on when left out */
async function* eachCampaign(client: AwarenessClient, after: number | undefined) {
  let page = await answer(
    after === undefined
      ? client.GET('/campaigns')
      : client.GET('/campaigns/{id}/{afterid}', { params: { path: { id: 0, afterid: after } } }),
  )
  for (;;) {
    yield* page.data
    if (page.remainingRowCount === 0) return
    const path = { id: 0, afterid: page.maxIdReturned }
    page = await answer(client.GET('/campaigns/{id}/{afterid}', { params: { path } }))
  }
}

function campaign() {
  const command = awarenessApiCommand('campaign')
    .description('show one campaign with its results')
    .argument('<id>', 'its id', wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER }))
    .addHelpText('after', examples(`palisade awareness api campaign 17 ${credentials}`))
    .action(async (id, options) => {
      const client = connectToAwareness(options, options)
      const { data } = await answer(client.GET('/campaigns/{id}', { params: { path: { id } } }))
      printThing(data[0] ?? {}, options)
    })
  calls(command, 'awareness', 'getCampaign')
  return command
}
