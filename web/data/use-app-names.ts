import { useQueries } from '@tanstack/react-query'
import { referenceQueries } from './reference-queries.ts'

/** Maximum number of stored apps to look up by name; usually there are few. */
const NAMED = 30

/** The app's name is part of its id: "google-maps" is found under "google maps". */
const wordsOf = (id: string) => id.replaceAll(/[-_]/g, ' ')

/** Returns app names by id. An id without a name, or not loaded yet, stands for itself. */
export function useAppNames(ids: readonly string[], country: string): (id: string) => string {
  const names = useQueries({
    queries: [...new Set(ids)].slice(0, NAMED).map((id) => referenceQueries.apps(wordsOf(id), country)),
    combine: (results) => new Map(results.flatMap(({ data = [] }) => data.map(({ id, name }) => [id, name] as const))),
  })
  return (id) => names.get(id) ?? id
}
