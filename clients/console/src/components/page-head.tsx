import type { ReactNode } from 'react'

/** The head of a page: what it is, a sentence about it, and what can be done there. */
export function PageHead({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead?: string
  /** Buttons. */
  readonly children?: ReactNode
}) {
  return (
    <div className="page-head">
      <div>
        <h1 className="page-title">{title}</h1>
        {lead !== undefined && <p className="page-lead">{lead}</p>}
      </div>
      {children}
    </div>
  )
}
