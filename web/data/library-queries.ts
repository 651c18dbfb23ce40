import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { z } from '#contract/zod'
import { fileLibrary, type libraryFile } from '#contract/files'
import { call, type Input } from './client.ts'

export type LibraryFile = z.output<typeof libraryFile>
export type LibraryFilter = Omit<NonNullable<Input<typeof fileLibrary>['query']>, 'after' | 'page_size'>

/** Files that campaigns of the account use, a page at a time. */
export const libraryQuery = (filter: LibraryFilter) =>
  infiniteQueryOptions({
    queryKey: ['library', filter],
    queryFn: ({ signal, pageParam }) =>
      call(fileLibrary, { query: { ...filter, ...(pageParam === '' ? {} : { after: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
