import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { createQueryClient } from '@/data/query-client'
import { followSession } from '@/session/session-end'
import { makeRouter } from '@/router'

/** Renders the whole application at a URL, as in a signed-in browser. */
export function renderRoute(address: string) {
  const queryClient = createQueryClient()
  const defaults = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ ...defaults, queries: { ...defaults.queries, retry: false } })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = makeRouter(queryClient, history)
  followSession(router, queryClient)
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return {
    router,
    history,
    queryClient,
    /** Returns the current URL. */
    address: () => history.location.href,
  }
}
