import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Trial, TrialResult, TriedRequest } from '@palisade/proxy-protocol'
import type { CollectionStorage } from '@palisade/seclang'
import type { ProxyConfiguration } from '../configuration.ts'
import { candidateRules } from '../inspection/candidate-rules.ts'
import type { RuleChoice } from '../inspection/rule-files.ts'
import { loadRuleSets, type RuleSets, reportOf } from '../inspection/rule-sets.ts'
import { Policies } from '../policy/policies.ts'
import { TrialRun } from './trial-run.ts'
import { triedService } from './tried-service.ts'

/** What was not judged by then stays so. */
const judgingMaxMs = 40_000

/** What one request has done is no reason to refuse another one. */
const forgetful: CollectionStorage = { load: () => new Map(), apply: () => undefined }

/**
 * Judges the requests of a trial, which standard input has as JSON, by the rules that proxies use here, and prints for each how both
 * services meet it, as JSON.
 */
export async function judgeTrial(configuration: Pick<ProxyConfiguration, 'rules'>): Promise<void> {
  const trial = JSON.parse(await text(process.stdin)) as Trial
  const application = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  try {
    const { port } = application.address() as AddressInfo
    const policies = new Policies()
    policies.take(trial.policies)
    const runOf = (service: Trial['now'], rules: RuleSets) =>
      new TrialRun(triedService(service, port), { rules, policies, storage: forgetful })
    const rules = loaded(configuration.rules)
    const others = trial.ruleSet === undefined ? undefined : candidateOf(configuration.rules, trial.ruleSet)
    const print = (result: Omit<TrialResult, 'trial'>) =>
      new Promise((resolve) => process.stdout.write(JSON.stringify(result), resolve))
    const report = others === undefined ? {} : { rules: reportOf(others) }
    if (others !== undefined && 'problem' in others)
      return void (await print({ problem: others.problem, tried: [], ...report }))
    const [now, candidate] = [runOf(trial.now, rules), runOf(trial.candidate, others ?? rules)]
    await print({ problem: '', tried: await judged(trial, now, candidate), ...report })
  } finally {
    application.close()
    application.closeAllConnections()
  }
}

function loaded(choice: RuleChoice): RuleSets {
  return loadRuleSets(choice, { of: () => forgetful })
}

/** The rules that are tried in the place of those that count. */
function candidateOf(choice: RuleChoice, name: string): RuleSets {
  const files = candidateRules(choice).get(name)
  return files === undefined
    ? { problem: `The proxy has no rule set ${JSON.stringify(name)} any more.` }
    : loaded(files)
}

async function judged(trial: Trial, now: TrialRun, candidate: TrialRun): Promise<TriedRequest[]> {
  const until = performance.now() + judgingMaxMs
  const triedRequests: TriedRequest[] = []
  for (const request of trial.requests) {
    if (performance.now() > until) break
    const before = await now.judge(request)
    const after = await candidate.judge(request)
    if (before && after) triedRequests.push({ id: request.id, now: before, candidate: after })
  }
  return triedRequests
}
