import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '@/data/query-client'
import { followSession } from '@/session/session-end'
import { setUpI18n, storedLanguage } from '@/i18n/setup'
import { makeRouter } from '@/router'
import { startColorScheme } from '@/theme/color-scheme'

startColorScheme()
await setUpI18n(storedLanguage())
// What was loaded has run; what it draws is a task of its own, so that the browser can answer in between.
await new Promise((resolve) => setTimeout(resolve))

const queryClient = createQueryClient()
const router = makeRouter(queryClient)
followSession(router, queryClient)

// The page is fetched while the person is still being asked for.
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
