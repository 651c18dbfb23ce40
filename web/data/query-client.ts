import { MutationCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { toast } from '@/lib/toast'
import { errorText } from '@/i18n/error-text'
import { AppError } from './app-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Lists and details that are out of date once it has succeeded. */
      readonly invalidates?: readonly QueryKey[]
      /** The screen says itself what went wrong. */
      readonly silent?: boolean
    }
  }
}

// Only what may pass by itself is tried again: a lost connection, a busy server, a read model that is behind.
const mayPass = (error: Error) => !(error instanceof AppError) || error.status === 0 || error.status >= 502

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // Offline, a call fails at once and says so. By default it would wait unseen, and a save would happen later.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && mayPass(error),
        retryDelay: (failures) => 400 * 2 ** failures,
      },
      mutations: { networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      onError: (error, _input, _context, mutation) => {
        if (mutation.meta?.silent !== true) toast.error(errorText(error))
      },
      onSuccess: async (_data, _input, _context, mutation) => {
        for (const queryKey of mutation.meta?.invalidates ?? []) void client.invalidateQueries({ queryKey })
      },
    }),
  })
  return client
}
