import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { Skeleton } from '@/components/ui/skeleton'
import { CodeBlock } from './code-block.tsx'
import { eventsQueries } from './events-queries.ts'
import { conversionSnippet, pixelSnippet, serverSnippet } from './snippets.ts'

/** How to send events: the pixel with the account's own key, a conversion, and the call for servers. */
export function SetupGuide() {
  const { t } = useTranslation('events')
  const { data, error, refetch } = useQuery(eventsQueries.pixelKey())
  if (data === undefined)
    return error === null ? (
      <Skeleton className="h-64 w-full" />
    ) : (
      <LoadError title={t('setup.error')} error={error} onRetry={() => void refetch()} />
    )
  const { origin } = window.location
  return (
    <ol className="flex flex-col gap-5 text-left">
      {(
        [
          ['page', pixelSnippet(origin, data.key)],
          ['conversion', conversionSnippet],
          ['server', serverSnippet(origin, data.space_id)],
        ] as const
      ).map(([step, code], n) => (
        <li key={step} className="flex gap-3">
          <span
            aria-hidden
            className="bg-primary-tint text-primary-ink mt-0.5 grid size-5 shrink-0 place-items-center rounded-full text-xs font-semibold tabular-nums"
          >
            {n + 1}
          </span>
          <div className="flex min-w-0 grow flex-col gap-2">
            <p className="text-[0.8125rem]/5 text-pretty">{t(`setup.${step}Text`)}</p>
            <CodeBlock label={t(`setup.${step}`)} code={code} />
          </div>
        </li>
      ))}
    </ol>
  )
}
