import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '@/data/query-client'
import { finishLogOut } from '@/session/log-out'
import { followSession } from '@/session/session-end'
import { setUpI18n, storedLanguage } from '@/i18n/setup'
import { makeRouter } from '@/router'
import { startColorScheme } from '@/theme/color-scheme'

/**
 * Starts the application. A function, because no module here may wait while it loads: pages import this one too, and in WebKit a
 * dynamic import gets a module that still waits without its exports ("the built application loads without waiting").
 */
export async function start(): Promise<void> {
  startColorScheme()
  await setUpI18n(storedLanguage())
  // Render in a separate task, so that the browser can respond to input in between.
  await new Promise((resolve) => setTimeout(resolve))

  const queryClient = createQueryClient()
  const router = makeRouter(queryClient)
  followSession(router, queryClient)
  finishLogOut()

  // Preload the page's code while the session request is pending.
  const matched = new Set<string>(router.matchRoutes(router.latestLocation).map(({ routeId }) => routeId))
  for (const route of Object.values(router.routesById)) if (matched.has(route.id)) void router.loadRouteChunk(route)

  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
