import { useQueries } from '@tanstack/react-query'
import { referenceQueries } from './reference-queries.ts'

/** Stored apps are few; of many only the first are looked up by name. */
const NAMED = 30

/** What an app is called is part of its id: "google-maps" is found under "google maps". */
const wordsOf = (id: string) => id.replaceAll(/[-_]/g, ' ')

/** Names of apps by their ids; an id that has none, or none yet, stands for itself. */
export function useAppNames(ids: readonly string[], country: string): (id: string) => string {
  const names = useQueries({
    queries: [...new Set(ids)].slice(0, NAMED).map((id) => referenceQueries.apps(wordsOf(id), country)),
    combine: (results) => new Map(results.flatMap(({ data = [] }) => data.map(({ id, name }) => [id, name] as const))),
  })
  return (id) => names.get(id) ?? id
}
