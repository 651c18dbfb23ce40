import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { SquareArrowOutUpRight } from 'lucide-react'
import { Markdown } from 'markdown-to-jsx/react'
import { useEffect, useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '@/components/page/page'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import { useLanguage } from '@/i18n/use-language'
import { cn } from '@/lib/utils'
import { can } from '@/session/can'
import { useMe, useWhitelabel } from '@/session/session-queries'
import { saveTemplate, TEMPLATE } from './banner-template.ts'
import { helpQueries, searchHelp, type HelpHit, type HelpPage } from './help-pages.ts'
import '@/i18n/texts/help'

const route = getRouteApi('/_app/help/{-$page}')

/** `/help`: how the product is used, in the language of the interface, with a search over all pages. */
export function HelpCenter() {
  const { t } = useTranslation('help')
  const { page: name } = route.useParams()
  const [query, setQuery] = useState('')
  const me = useMe()
  const { data, error, refetch } = useQuery(helpQueries.all(useLanguage()))
  const pages = data?.filter((page) => page.name !== 'moderation' || can(me, 'campaign.moderate'))
  const current = pages?.find((page) => page.name === name) ?? pages?.[0]
  const found = query.trim() === '' ? null : searchHelp(pages ?? [], query)
  return (
    <Page
      title={found === null ? (current?.title ?? t('title')) : t('results')}
      breadcrumb={[
        <Link key="help" to="/help/{-$page}" params={{}} onClick={() => setQuery('')}>
          {t('title')}
        </Link>,
      ]}
      failed={error === null ? null : { title: t('error'), error, onRetry: () => void refetch() }}
    >
      <div className="grid w-full max-w-5xl gap-x-10 gap-y-6 pb-16 lg:grid-cols-[14rem_1fr] 2xl:mx-auto">
        <div className="flex flex-col gap-4 lg:sticky lg:top-6 lg:self-start">
          <Input
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
          <nav aria-label={t('pages')} className="flex flex-wrap gap-0.5 lg:flex-col">
            {pages?.map((page) => (
              <Link
                key={page.name}
                to="/help/{-$page}"
                params={{ page: page.name }}
                onClick={() => setQuery('')}
                aria-current={found === null && page === current ? 'page' : undefined}
                className={cn(
                  'text-muted-foreground hover:text-foreground rounded-md px-2.5 py-1.5 font-medium',
                  found === null && page === current && 'bg-muted text-foreground',
                )}
              >
                {page.title}
              </Link>
            ))}
          </nav>
          <AllDocumentation />
        </div>
        {pages === undefined ? (
          <Loading />
        ) : found !== null ? (
          <Hits hits={found} query={query} onOpen={() => setQuery('')} />
        ) : (
          current !== undefined && <Article key={current.name} page={current} />
        )}
      </div>
    </Page>
  )
}

/** The documentation site, where the installation has it. */
function AllDocumentation() {
  const { t } = useTranslation()
  const { documentation } = useWhitelabel()
  if (!documentation) return null
  return (
    <a
      href="/help/docs/"
      target="_blank"
      rel="noopener"
      className="text-muted-foreground hover:text-foreground flex items-center gap-1.5 rounded-md px-2.5 py-1.5 font-medium"
    >
      {t('allDocumentation')}
      <span className="sr-only">{t('newTab')}</span>
      <SquareArrowOutUpRight aria-hidden className="size-3.5 opacity-60" />
    </a>
  )
}

const Loading = () => (
  <div aria-hidden className="flex flex-col gap-3">
    {['w-3/4', 'w-full', 'w-2/3', 'w-5/6'].map((width) => (
      <Skeleton key={width} className={cn('h-5', width)} />
    ))}
  </div>
)

function Article({ page }: { readonly page: HelpPage }) {
  const { t } = useTranslation('help')
  const { hash } = useLocation()
  // The pages load after the router has looked for the place that the address names.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
  return (
    <article className="flex max-w-prose min-w-0 flex-col gap-8">
      <Text>{page.lead}</Text>
      {page.sections.map(({ id, heading, body }) => (
        <section key={id} id={id} aria-labelledby={`${id}-heading`} className="flex scroll-mt-6 flex-col gap-2">
          <h2 id={`${id}-heading`} className="group text-base font-semibold">
            {heading}
            <a
              href={`#${id}`}
              aria-label={t('linkTo', { heading })}
              className="text-muted-foreground ml-1.5 rounded-[3px] px-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
            >
              #
            </a>
          </h2>
          <Text>{body}</Text>
        </section>
      ))}
    </article>
  )
}

type HitsProps = { readonly hits: readonly HelpHit[]; readonly query: string; readonly onOpen: () => void }

function Hits({ hits, query, onOpen }: HitsProps) {
  const { t } = useTranslation('help')
  return (
    <div className="flex max-w-prose min-w-0 flex-col gap-4">
      {/* Without a hit, the text below says it to the eye. */}
      <output className={hits.length === 0 ? 'sr-only' : 'text-muted-foreground'}>{t('found', { count: hits.length })}</output>
      {hits.length === 0 ? (
        <EmptyState title={t('noMatch', { query })} text={t('noMatchText')} />
      ) : (
        <ul className="flex flex-col gap-5">
          {hits.map(({ page, section, excerpt }) => (
            <li key={`${page.name}#${section.id}`}>
              <Link
                to="/help/{-$page}"
                params={{ page: page.name }}
                hash={section.id}
                onClick={onOpen}
                className="rounded-[3px] font-medium underline-offset-4 hover:underline"
              >
                {section.heading}
              </Link>
              <span className="text-muted-foreground"> · {page.title}</span>
              <p className="text-muted-foreground mt-0.5">{excerpt}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A link of a page: to a page of the application or of the help, to a file, or to the documentation of the API in a new tab. */
function TextLink({ href = '', children }: ComponentProps<'a'>) {
  const { t } = useTranslation()
  const look = 'rounded-[3px] underline underline-offset-4'
  if (href === TEMPLATE)
    return (
      <button type="button" onClick={() => void saveTemplate()} className={cn(look, 'cursor-pointer')}>
        {children}
      </button>
    )
  if (href === '/docs')
    return (
      <a href={href} target="_blank" rel="noopener" className={look}>
        {children}
        <span className="sr-only">{t('newTab')}</span>
      </a>
    )
  return (
    // A test checks that the addresses in the pages have routes.
    <Link to={href as '/campaigns'} className={look}>
      {children}
    </Link>
  )
}

const Table = (props: ComponentProps<'table'>) => (
  <div className="overflow-x-auto">
    <table {...props} />
  </div>
)

const MARKDOWN = { disableParsingRawHTML: true, forceBlock: true, overrides: { a: TextLink, table: Table } } as const

const Text = ({ children }: { readonly children: string }) => (
  <div className="leading-6 [&>div]:flex [&>div]:flex-col [&>div]:gap-3 [&_code]:bg-muted [&_code]:rounded-[3px] [&_code]:px-1 [&_code]:[overflow-wrap:anywhere] [&_li]:my-1 [&_td]:border-b [&_td]:py-1.5 [&_td]:pr-6 [&_td]:align-top [&_th]:border-b [&_th]:py-1.5 [&_th]:pr-6 [&_th]:text-left [&_th]:text-muted-foreground [&_th]:font-medium [&_ul]:list-disc [&_ul]:pl-5">
    <Markdown options={MARKDOWN}>{children}</Markdown>
  </div>
)
