import { nameKey } from '#domain/kit/text'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addLabel, type AccountLabel } from '#contract/labels'
import { DialogFrame, DialogStep } from '@/components/dialog-frame'
import { call } from '@/data/client'
import { errorText } from '@/i18n/error-text'
import { errorToast } from '@/i18n/error-toast'
import { freshColor } from './label-colors.ts'
import { LabelChoice } from './label-choice.tsx'
import { LabelPreview } from './label-preview.tsx'
import { labelsKey, labelsQuery } from './label-queries.ts'
import { planOf, pressed, type Choices, type Labelable } from './label-plan.ts'
import type { LabelChanges } from './use-label-changes.ts'
import '@/i18n/texts/labels'

type LabelsDialogProps = {
  /** Campaigns of one account. */
  readonly rows: readonly Labelable[]
  /** Report to the page, which offers the Undo when the dialog is closed. */
  readonly change: LabelChanges
  readonly onClose: () => void
  /** Gets the ids of campaigns whose labels have changed. */
  readonly onDone?: (ids: readonly string[]) => void
}

const NO_LABELS: readonly AccountLabel[] = []

/** Chooses labels for campaigns: a search that creates what it does not find, a preview of every row, and one Undo. */
export default function LabelsDialog({ rows, change, onClose, onDone }: LabelsDialogProps) {
  const { t } = useTranslation(['labels', 'common'])
  const spaceId = rows[0]?.space_id ?? ''
  const queryClient = useQueryClient()
  const { data, error } = useQuery(labelsQuery(spaceId))
  const labels = data?.labels ?? NO_LABELS
  const [choices, setChoices] = useState<Choices>(new Map())
  /** Why a campaign kept its labels, by id. */
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map())
  const create = useMutation({
    mutationFn: (name: string) => call(addLabel, { body: { space_id: spaceId, name, color: freshColor(labels) } }),
    onSuccess: async ({ id }) => {
      setChoices((before) => new Map(before).set(id, 'add'))
      await queryClient.invalidateQueries({ queryKey: labelsKey() })
    },
    onError: errorToast,
  })
  const plans = new Map(rows.map((row) => [row.id, planOf(row, choices)]))
  const changes = rows.flatMap(({ id }) => {
    const plan = plans.get(id)
    return plan?.kind === 'changed' ? [{ campaign_id: id, add: plan.added, remove: plan.removed }] : []
  })
  const { mutate: apply, isPending } = useMutation({
    mutationFn: () => change(changes),
    onSuccess: (results) => {
      const failed = new Map(
        results.flatMap(({ campaign_id, code, message }) =>
          code === 0 ? [] : [[campaign_id, code === 2 ? t('labels:full') : message] as const],
        ),
      )
      onDone?.(results.flatMap(({ campaign_id, code }) => (code === 0 ? [campaign_id] : [])))
      if (failed.size === 0) onClose()
      else setRefusals(failed)
    },
    onError: errorToast,
  })
  return (
    <DialogFrame
      title={rows.length === 1 ? t('labels:titleOf', { name: rows[0]?.name }) : t('labels:titleMany', { count: rows.length })}
      description={t('labels:text')}
      className="top-[8vh] max-h-[84vh] w-[640px]"
      // A portal's clicks and keys bubble through React to the row.
      onClick={(event) => event.stopPropagation()}
      onClose={() => !isPending && onClose()}
    >
      <DialogStep
        aside={
          <output className="text-muted-foreground text-[0.8125rem]/4.5">
            {choices.size > 0 && t('labels:willChange', { count: changes.length, all: rows.length })}
          </output>
        }
        confirm={t('labels:apply')}
        disabled={isPending || changes.length === 0}
        onConfirm={() => apply()}
        onCancel={onClose}
      >
        {error === null ? (
          <LabelChoice
            rows={rows}
            labels={labels}
            choices={choices}
            busy={data === undefined || create.isPending}
            onPress={(id) => setChoices((before) => pressed(rows, before, id))}
            onCreate={(name) => {
              const known = labels.find((label) => nameKey(label.name) === nameKey(name))
              if (known === undefined) create.mutate(name)
            }}
          />
        ) : (
          <p role="alert">{errorText(error)}</p>
        )}
        <LabelPreview rows={rows} labels={labels} plans={plans} refusals={refusals} />
      </DialogStep>
    </DialogFrame>
  )
}
