import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CannedReason, ChecklistLine } from '#contract/review-guidelines'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { LoadError } from '@/components/load-error'
import { SettingsSection } from '@/components/settings-section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { useLanguage } from '@/i18n/use-language'
import { toast } from '@/lib/toast'
import { useMe } from '@/session/session-queries'
import { ChecksSection } from './checks-section.tsx'
import { GUIDELINE_KEYS, guidelines, saveGuidelines, type Guidelines } from './guidelines-queries.ts'

const ReasonDialog = lazy(async () => ({ default: (await import('./guideline-dialogs.tsx')).ReasonDialog }))
const LineDialog = lazy(async () => ({ default: (await import('./guideline-dialogs.tsx')).LineDialog }))

/** Canned reasons for rejections and the checklist of reviews (fine print 101). */
export function GuidelinesSections() {
  const { t } = useTranslation('settings')
  const { whitelabel_id: id } = useMe()
  const { data, error, refetch } = useQuery(guidelines(id))
  if (error !== null && data === undefined)
    return (
      <SettingsSection title={t('guidelines.reasons.title')}>
        <LoadError title={t('guidelines.error')} error={error} onRetry={() => void refetch()} />
      </SettingsSection>
    )
  return (
    <>
      <Reasons whiteLabel={id} reasons={data?.reject_reasons} />
      <Lines whiteLabel={id} lines={data?.review_checklist} />
      <ChecksSection whiteLabel={id} guidelines={data} />
    </>
  )
}

function useSave(id: string) {
  const { t } = useTranslation('settings')
  return useMutation({
    meta: { invalidates: GUIDELINE_KEYS },
    mutationFn: (changes: Partial<Guidelines>) => saveGuidelines(id, changes),
    onSuccess: () => toast.success(t('guidelines.saved')),
  })
}

type ReasonsProps = { readonly whiteLabel: string; readonly reasons: readonly CannedReason[] | undefined }

function Reasons({ whiteLabel, reasons }: ReasonsProps) {
  const { t } = useTranslation('settings')
  const language = useLanguage()
  const [editing, setEditing] = useState<number | null>(null)
  const { mutate, isPending } = useSave(whiteLabel)
  return (
    <Section
      name="reasons"
      entries={reasons}
      labelOf={({ title }) => title[language]}
      busy={isPending}
      onSave={(next) => mutate({ reject_reasons: [...next] })}
      onEdit={setEditing}
      render={({ title, topic, active, text }) => (
        <>
          <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
            {title[language]}
            {topic !== '' && <Badge variant="secondary">{topic}</Badge>}
            {!active && <Badge variant="outline">{t('guidelines.inactive')}</Badge>}
          </p>
          <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{text[language]}</p>
        </>
      )}
    >
      {editing !== null && reasons !== undefined && (
        <ReasonDialog whiteLabel={whiteLabel} reasons={reasons} at={editing} onClose={() => setEditing(null)} />
      )}
    </Section>
  )
}

type LinesProps = { readonly whiteLabel: string; readonly lines: readonly ChecklistLine[] | undefined }

function Lines({ whiteLabel, lines }: LinesProps) {
  const language = useLanguage()
  const [editing, setEditing] = useState<number | null>(null)
  const { mutate, isPending } = useSave(whiteLabel)
  return (
    <Section
      name="checklist"
      entries={lines}
      labelOf={(line) => line[language]}
      busy={isPending}
      onSave={(next) => mutate({ review_checklist: [...next] })}
      onEdit={setEditing}
      render={(line) => <p className="[overflow-wrap:anywhere]">{line[language]}</p>}
    >
      {editing !== null && lines !== undefined && (
        <LineDialog whiteLabel={whiteLabel} lines={lines} at={editing} onClose={() => setEditing(null)} />
      )}
    </Section>
  )
}

type SectionProps<Entry> = {
  readonly name: 'reasons' | 'checklist'
  /** Undefined while loading. */
  readonly entries: readonly Entry[] | undefined
  readonly labelOf: (entry: Entry) => string
  readonly busy: boolean
  readonly onSave: (entries: readonly Entry[]) => void
  /** Opens the dialog of an entry; the one after the last is a new one. */
  readonly onEdit: (at: number) => void
  readonly render: (entry: Entry) => ReactNode
  /** The dialog. */
  readonly children: ReactNode
}

/** An ordered list of entries, with what can be done to each. */
function Section<Entry>({ name, entries, labelOf, busy, onSave, onEdit, render, children }: SectionProps<Entry>) {
  const { t } = useTranslation(['settings', 'common'])
  const [removing, setRemoving] = useState<number | null>(null)
  const swap = (list: readonly Entry[], at: number) => {
    const next = [...list]
    next.splice(at, 2, ...next.slice(at, at + 2).reverse())
    onSave(next)
  }
  return (
    <SettingsSection
      title={t(`settings:guidelines.${name}.title`)}
      text={t(`settings:guidelines.${name}.text`)}
      action={
        entries !== undefined && (
          <Button variant="outline" onClick={() => onEdit(entries.length)}>
            {t(`settings:guidelines.${name}.add`)}
          </Button>
        )
      }
    >
      {entries === undefined && <Skeleton className="h-14 w-full" />}
      {entries?.length === 0 && <p className="text-muted-foreground">{t(`settings:guidelines.${name}.empty`)}</p>}
      {entries !== undefined && entries.length > 0 && (
        <ol aria-label={t(`settings:guidelines.${name}.title`)} className="divide-border -my-2 flex flex-col divide-y">
          {entries.map((entry, i) => {
            const label = labelOf(entry)
            const button = (text: 'edit' | 'up' | 'down' | 'remove', run: () => void, disabled = busy) => (
              <Button
                variant="ghost"
                size="sm"
                aria-label={t(`settings:guidelines.${text}Named`, { name: label })}
                disabled={disabled}
                onClick={run}
              >
                {t(`settings:guidelines.${text}`)}
              </Button>
            )
            return (
              // oxlint-disable-next-line react/no-array-index-key -- entries have no id, and keep their order
              <li key={i} className="flex flex-wrap items-center gap-x-1 gap-y-1 py-3">
                <div className="min-w-0 grow basis-64">{render(entry)}</div>
                {button('up', () => swap(entries, i - 1), busy || i === 0)}
                {button('down', () => swap(entries, i), busy || i === entries.length - 1)}
                {button('edit', () => onEdit(i))}
                {button('remove', () => setRemoving(i))}
              </li>
            )
          })}
        </ol>
      )}
      <Suspense>{children}</Suspense>
      <ConfirmDialog
        open={removing !== null}
        title={t('settings:guidelines.removeTitle')}
        text={t('settings:guidelines.removeText')}
        confirm={t('settings:guidelines.remove')}
        cancel={t('common:cancel')}
        tone="destructive"
        onCancel={() => setRemoving(null)}
        onConfirm={() => {
          onSave((entries ?? []).filter((_, i) => i !== removing))
          setRemoving(null)
        }}
      />
    </SettingsSection>
  )
}
