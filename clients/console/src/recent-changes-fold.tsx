import { useSyncExternalStore } from 'react'
import { Command } from './components/command.tsx'
import { Time } from './components/time.tsx'
import { texts } from './texts.ts'
import { useSession } from './use-session.ts'

/** Below each page: what the operator has changed so far, as calls by curl. Nothing before the first change. */
export function RecentChangesFold() {
  const { recentChanges } = useSession()
  const calls = useSyncExternalStore(recentChanges.subscribe, recentChanges.read)
  if (calls.length === 0) return null
  return (
    <details className="recent-changes">
      <summary>{texts.recentChanges.title(calls.length)}</summary>
      <p>{texts.recentChanges.help}</p>
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
