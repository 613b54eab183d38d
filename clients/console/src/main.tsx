import './styles.ts'
import { MantineProvider } from '@mantine/core'
import { ApiError } from '@palisade/sdk'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConsoleRouter } from './router.tsx'
import { texts } from './texts.ts'

// What shows a password is reached by Tab, too.
const theme = {
  components: {
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': texts.showTyped },
      },
    },
  },
}
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 2_000 } },
  queryCache: new QueryCache({ onError: askAgain }),
})
const router = createConsoleRouter(queries)

/** A session that has ended is begun anew, and leads back to the page that was looked at. */
function askAgain(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401) return
  queries.removeQueries({ queryKey: ['session'] })
  void router.invalidate()
}

const root = document.getElementById('console')
if (root === null) throw new Error('index.html has no element "console"')

createRoot(root).render(
  <StrictMode>
    {/* No style element is made at run time: the content security policy would not allow it. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
