import { Loader } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { texts as all } from '../texts.ts'

const texts = all.checks

/** What is looked at before a restore begins. */
export interface Check {
  readonly name: keyof typeof texts.names
  readonly look: () => Promise<unknown>
}

interface Outcome {
  readonly name: Check['name']
  readonly state: 'runs' | 'passed' | 'refused'
  /** Why not, in the words of the service. */
  readonly reason?: string
}

/** Makes checks one after the other, all of them, and then starts the restore when none has refused. */
export function useChecks() {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const start = useMutation({
    async mutationFn({
      checks,
      begin,
    }: {
      readonly checks: readonly Check[]
      readonly begin: () => Promise<void>
    }) {
      const all: Outcome[] = []
      for (const { name, look } of checks) {
        setOutcomes([...all, { name, state: 'runs' }])
        all.push(await outcomeOf(name, look))
        setOutcomes([...all])
      }
      if (all.every(({ state }) => state === 'passed')) await begin()
    },
  })
  return { outcomes, start, hasRefusal: outcomes.some(({ state }) => state === 'refused') }
}

async function outcomeOf(name: Check['name'], look: Check['look']): Promise<Outcome> {
  try {
    await look()
    return { name, state: 'passed' }
  } catch (error) {
    return { name, state: 'refused', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** The words of the service, which are a code for some reasons; what that means stands before it. */
function reasonText(reason = ''): string {
  const meaning = Object.entries(texts.codes).find(([code]) => reason.includes(code))?.[1]
  return meaning === undefined ? reason : `${meaning} (${reason})`
}

/** What the checks have said so far. */
export function Checks({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  if (outcomes.length === 0) return null
  return (
    <ul className="checks" aria-live="polite" aria-label={texts.title}>
      {outcomes.map(({ name, state, reason }) => (
        <li key={name}>
          {state === 'runs' ? <Loader size="xs" aria-hidden="true" /> : <span>{texts.glyphs[state]}</span>}
          <span>
            {texts.names[name]}
            {state === 'refused' && <strong>: {reasonText(reason)}</strong>}
          </span>
        </li>
      ))}
    </ul>
  )
}
