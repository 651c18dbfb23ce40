import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { Progress } from '@/components/ui/progress'
import { openChat } from '@/lib/open-chat'
import { cn } from '@/lib/utils'
import { AddFunds, useMayAddFunds } from '@/session/add-funds'
import { guideMutations, guideQueries } from './guide-queries.ts'
import '@/i18n/texts/guide'

const STEPS = ['confirmed', 'funded', 'created', 'published', 'delivered'] as const
type Step = (typeof STEPS)[number]

/** The first steps of an account, until its first campaign is delivered or the user closes them. `onCreate` starts a campaign. */
export function FirstRunGuide({ onCreate }: { readonly onCreate: () => void }) {
  const { t } = useTranslation('guide')
  const { data } = useQuery(guideQueries.get())
  const pays = useMayAddFunds()
  const close = useMutation(guideMutations.close())
  if (data === undefined || data.closed || data.delivered || close.isSuccess) return null
  // Users can sign in only after their registration was approved and completed.
  const done: Readonly<Record<Step, boolean>> = { ...data, confirmed: true }
  const next = STEPS.find((step) => !done[step])
  const count = STEPS.filter((step) => done[step]).length
  const actions: Partial<Readonly<Record<Step, ReactNode>>> = {
    funded: pays ? (
      <AddFunds variant={next === 'funded' ? 'default' : 'outline'} />
    ) : (
      <Button size="sm" variant={next === 'funded' ? 'default' : 'outline'} onClick={() => openChat(t('askText'))}>
        {t('ask')}
      </Button>
    ),
    created: (
      <Button size="sm" variant={next === 'created' ? 'default' : 'outline'} onClick={onCreate}>
        {t('create')}
      </Button>
    ),
    published: data.draft_id !== null && (
      <Button asChild size="sm" variant={next === 'published' ? 'default' : 'outline'}>
        <Link to="/campaign/edit/$id" params={{ id: data.draft_id }} search={{ tab: 'basicInfo' }}>
          {t('publish')}
        </Link>
      </Button>
    ),
  }
  return (
    <section aria-labelledby="guide-title" className="bg-card border-border flex flex-col gap-4 rounded-xl border p-5">
      <header className="flex items-start gap-4">
        <div className="min-w-0 grow">
          <h2 id="guide-title" className="text-[15px]/6 font-semibold">
            {t(data.published ? 'titlePublished' : 'title')}
          </h2>
          <p className="text-muted-foreground text-[0.8125rem]/4.5">{t('progress', { done: count, total: STEPS.length })}</p>
        </div>
        <Button variant="ghost" size="icon" aria-label={t('close')} disabled={close.isPending} onClick={() => close.mutate()}>
          <X aria-hidden />
        </Button>
      </header>
      <Progress value={(count / STEPS.length) * 100} aria-label={t('progress', { done: count, total: STEPS.length })} />
      <ol className="divide-border flex flex-col divide-y">
        {STEPS.map((step, i) => (
          <li key={step} aria-current={step === next ? 'step' : undefined} className="flex min-h-14 items-center gap-3 py-2">
            <span
              aria-hidden
              className={cn(
                'grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold',
                done[step]
                  ? 'bg-success-tint text-success'
                  : step === next
                    ? 'bg-primary text-primary-foreground'
                    : 'bg-muted text-muted-foreground',
              )}
            >
              {done[step] ? <Check className="size-3.5" /> : i + 1}
            </span>
            <div className="min-w-0 grow">
              <p className={cn('font-medium', done[step] && 'text-muted-foreground')}>
                {t(`step.${step}`)}
                <span className="sr-only">{done[step] ? ` ${t('done')}` : ''}</span>
              </p>
              {!done[step] && (
                <p className="text-muted-foreground text-xs text-pretty">
                  {t(step === 'funded' && pays ? 'help.fundedByCard' : `help.${step}`)}
                </p>
              )}
            </div>
            {!done[step] && actions[step]}
          </li>
        ))}
      </ol>
    </section>
  )
}
