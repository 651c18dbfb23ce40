import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { DialogPanelBody, DialogPanel, DialogPanelFooter } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { campaignQueries } from '@/data/campaign-queries'
import { Lines } from '@/features/campaigns/change-log/as-was-dialog'
import { ChangeList } from '@/features/campaigns/change-log/change-list'
import { useNames } from '@/features/campaigns/change-log/use-names'
import { toForm } from '../form-mapping.ts'
import type { CampaignFormValues } from '../form-schema.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import { useSavers } from '../newer/use-savers.ts'
import { linesOf, versionsOf } from './said-merge.ts'
import { mergedForm, mergeFields, type FieldMerge, type Side } from './three-way.ts'
import '@/i18n/texts/log'
import '@/i18n/texts/owner'

/** Retry interval, milliseconds: a save reports a newer version shortly before it can be read. */
const AGAIN_MS = 500

export type Merged = { readonly newest: Campaign; readonly values: CampaignFormValues }

type MergeDialogProps = {
  /** The common base version, and the user's values. */
  readonly base: Campaign
  readonly mine: CampaignFormValues
  /** Whether the merged version is saved at once. */
  readonly saves: boolean
  readonly onMerge: (merged: Merged) => void
  readonly onCancel: () => void
}

/** Merges the user's changes with a concurrent save before anything is written. */
export default function MergeDialog({ base, mine, saves, onMerge, onCancel }: MergeDialogProps) {
  const { t } = useTranslation('form')
  const { data, error, refetch } = useQuery({
    ...campaignQueries.detail(base.id),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.revision > base.revision ? false : AGAIN_MS),
  })
  const newest = data !== undefined && data.revision > base.revision ? data : null
  return (
    <Dialog open onOpenChange={(open) => !open && onCancel()}>
      <DialogPanel
        title={t('merge.title')}
        description={t(saves ? 'merge.text' : 'merge.compareText')}
        className="top-[6vh] max-h-[88vh] w-[820px]"
        onCloseAutoFocus={(event) => {
          // The button that opened the dialog was disabled and lost the focus.
          event.preventDefault()
          document.querySelector<HTMLElement>('[data-slot=form-footer] button[data-save]')?.focus()
        }}
      >
        {newest !== null ? (
          // Another concurrent save restarts the comparison.
          <Comparison key={newest.revision} {...{ base, mine, newest, saves, onMerge, onCancel }} />
        ) : (
          <DialogPanelBody className="pb-6" aria-busy={error === null}>
            {error === null ? <Lines /> : <LoadError title={t('merge.error')} error={error} onRetry={() => void refetch()} />}
          </DialogPanelBody>
        )}
      </DialogPanel>
    </Dialog>
  )
}

function Comparison({ base, mine, newest, saves, onMerge, onCancel }: MergeDialogProps & { readonly newest: Campaign }) {
  const { t } = useTranslation('form')
  const savers = useSavers(base)
  const theirs = useMemo(() => toForm(newest), [newest])
  const merges = useMemo(() => mergeFields(toForm(base), mine, theirs), [base, mine, theirs])
  const versions = useMemo(() => versionsOf(base, mine, newest), [base, mine, newest])
  const lines = useMemo(() => linesOf(merges, versions, base), [merges, versions, base])
  const [picks, setPicks] = useState<ReadonlyMap<string, Side>>(new Map())
  const conflicts = merges.filter(({ conflict }) => conflict)
  const names = useNames(conflicts.flatMap((merge) => lines.get(merge) ?? []).flatMap((line) => [line.mine, line.theirs]))
  const changesBy = (side: Side) =>
    merges.filter(({ by }) => by === side).flatMap((merge) => (lines.get(merge) ?? []).map((line) => line[side]))
  const left = conflicts.filter(({ field }) => !picks.has(field)).length
  const pickAll = (side: Side) => setPicks(new Map(conflicts.map(({ field }) => [field, side])))
  const pick = ({ field }: FieldMerge, side: Side) => setPicks(new Map([...picks, [field, side]]))
  return (
    <>
      <DialogPanelBody className="gap-6" tabIndex={0}>
        {savers !== null && <p className="text-[0.8125rem]/4.5">{savers}</p>}
        {conflicts.length > 0 && (
          <section className="flex flex-col gap-3">
            <div className="flex flex-wrap items-center gap-2">
              <h3 className="text-[0.8125rem]/4.5 mr-auto font-semibold">{t('merge.conflicts', { count: conflicts.length })}</h3>
              <Button variant="ghost" size="sm" onClick={() => pickAll('mine')}>
                {t('merge.allMine')}
              </Button>
              <Button variant="ghost" size="sm" onClick={() => pickAll('theirs')}>
                {t('merge.allTheirs')}
              </Button>
            </div>
            {conflicts.map((merge) => (
              <ConflictChoice
                key={merge.field}
                merge={merge}
                lines={lines.get(merge) ?? []}
                names={names}
                picked={picks.get(merge.field) ?? null}
                onPick={(side) => pick(merge, side)}
              />
            ))}
          </section>
        )}
        {(['mine', 'theirs'] as const).map((side) => {
          const changes = changesBy(side)
          return (
            changes.length > 0 && (
              <section key={side} className="flex flex-col gap-2">
                <h3 id={`merge-${side}`} className="text-[0.8125rem]/4.5 font-semibold">
                  {t(`merge.${side}Only`)}
                </h3>
                <ChangeList changes={changes} states={[versions.theirs, versions.mine, versions.base]} under={`merge-${side}`} />
              </section>
            )
          )
        })}
        {merges.every(({ by }) => by === 'mine') && <p className="text-muted-foreground">{t('merge.elsewhere')}</p>}
      </DialogPanelBody>
      <DialogPanelFooter className="border-border items-center border-t">
        <output className="text-muted-foreground text-[0.8125rem]/4.5 mr-auto">
          {left > 0 && t('merge.left', { count: left })}
        </output>
        <Button variant="outline" onClick={onCancel}>
          {t('merge.cancel')}
        </Button>
        <Button disabled={left > 0} onClick={() => onMerge({ newest, values: mergedForm(theirs, merges, picks) })}>
          {t(saves ? 'merge.save' : 'merge.take')}
        </Button>
      </DialogPanelFooter>
    </>
  )
}
