import { MutationCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { errorToast } from '@/i18n/error-toast'
import { AppError } from './app-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Lists and details to invalidate on success. */
      readonly invalidates?: readonly QueryKey[]
      /** The screen shows the error itself. */
      readonly silent?: boolean
    }
  }
}

// Retry only transient failures: a lost connection, a busy server, a lagging read model.
const mayPass = (error: Error) => !(error instanceof AppError) || error.status === 0 || error.status >= 502

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        // Calls fail immediately when offline. By default they would wait invisibly, and a save would happen later.
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
        if (mutation.meta?.silent !== true) errorToast(error)
      },
      onSuccess: async (_data, _input, _context, mutation) => {
        for (const queryKey of mutation.meta?.invalidates ?? []) void client.invalidateQueries({ queryKey })
      },
    }),
  })
  return client
}
