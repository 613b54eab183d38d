import { useSyncExternalStore } from 'react'
import { Command } from './components/command.tsx'
import { Time } from './components/time.tsx'
import { texts } from './texts.ts'
import { useSession } from './use-session.ts'

/** Below each page: what the operator has changed so far, as calls by curl. Nothing before the first change. */
export function OwnCallsFold() {
  const { ownCalls } = useSession()
  const calls = useSyncExternalStore(ownCalls.subscribe, ownCalls.read)
  if (calls.length === 0) return null
  return (
    <details className="own-calls">
      <summary>{texts.ownCalls.title(calls.length)}</summary>
      <p>{texts.ownCalls.help}</p>
      <ol>
        {calls.map(({ id, at, line }) => (
          <li key={id}>
            <Time at={new Date(at).toISOString()} toTheSecond />
            <Command line={line} />
          </li>
        ))}
      </ol>
    </details>
  )
}
