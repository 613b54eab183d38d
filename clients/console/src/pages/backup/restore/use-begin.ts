import { errorOf } from '@palisade/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useComputer } from '../data.ts'

/**
 * Goes from the call that starts a restore to the page that shows how far it is.
 *
 * @returns a function of the call; it throws an ApiError when the service refuses
 */
export function useBegin() {
  const { account, computer } = useComputer()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return async (call: Promise<{ readonly error?: unknown; readonly response: Response }>): Promise<void> => {
    const { response, error } = await call
    const restore = response.headers.get('x-restore-id')
    if (restore === null) throw errorOf(response, error)
    await queries.invalidateQueries({ queryKey: ['backup', 'running'] })
    await navigate({
      to: '/backup/computers/$account/$computer/restores/$restore',
      params: { account, computer, restore },
    })
  }
}
