import type { ReactNode } from 'react'

/** How something is, in a colour and in words. */
export function State({
  state,
  children,
}: {
  readonly state: 'good' | 'warning' | 'critical' | 'idle'
  readonly children: ReactNode
}) {
  return (
    <span className="state" data-state={state}>
      {children}
    </span>
  )
}
