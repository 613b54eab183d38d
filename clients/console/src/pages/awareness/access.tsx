import { SameCall } from '../../components/command.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { AwarenessKeys } from './api-keys.tsx'
import { texts as all } from './texts.ts'
import { AwarenessUsers } from './users.tsx'

const texts = all.access

/** Who reads campaigns and results. */
export function AwarenessAccessPage() {
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <AwarenessUsers />
      <AwarenessKeys />
      <SameCall palisade="palisade awareness users list" path="/admin/v1/awareness/users" />
    </>
  )
}
