import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * A change that is asked for by a click: how it goes, and what is read again when it is done.
 *
 * @param refresh keys of the queries that show what was changed
 * @param onDone is called after they were marked as old
 */
export function useChange<Input = void, Result = unknown>(
  change: (input: Input) => Promise<Result>,
  {
    refresh,
    onDone,
  }: {
    readonly refresh: readonly QueryKey[]
    readonly onDone?: ((result: Result) => void) | undefined
  },
) {
  const queries = useQueryClient()
  return useMutation<Result, Error, Input>({
    mutationFn: change,
    async onSuccess(result) {
      const read = refresh.map((queryKey) => queries.invalidateQueries({ queryKey }))
      onDone?.(result)
      await Promise.all(read)
    },
  })
}
