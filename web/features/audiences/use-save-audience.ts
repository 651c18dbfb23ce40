import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createDynamic, saveDynamic, uploadAudience, type AudienceDetails } from '#contract/audiences'
import type { RuleGroup } from '#domain/campaign/content/content'
import { AUDIENCES_KEY } from '@/data/audience-queries'
import { call } from '@/data/client'
import { upload } from '@/data/upload'
import { toast } from '@/lib/toast'
import type { ChosenFile } from './file-sample.ts'

export type Entered = {
  readonly name: string
  /** Of a static audience; null to keep its members. */
  readonly chosen: ChosenFile | null
  /** Of a dynamic audience. */
  readonly rules: RuleGroup | null
}

const NO_RULES: RuleGroup = { condition: 'and', rules: [] }

/** Saves an audience, and opens its details. `progress` is the sent part of a file, null while nothing is sent. */
export function useSaveAudience(audience: AudienceDetails | null, onSaved: () => void) {
  const { t } = useTranslation('audiences')
  const navigate = useNavigate()
  const [progress, setProgress] = useState<number | null>(null)
  const saving = useMutation({
    meta: { silent: true, invalidates: [AUDIENCES_KEY] },
    mutationFn: ({ name, chosen, rules }: Entered) => {
      if (chosen !== null) return send(audience, { name, chosen }, setProgress)
      const id = audience?.id
      if (id !== undefined) return call(saveDynamic, { body: { id, name, rules } })
      return call(createDynamic, { body: { name, rules: rules ?? NO_RULES } })
    },
    onSuccess: async ({ id }, { chosen }) => {
      toast.success(t(chosen !== null ? 'form.uploaded' : audience === null ? 'form.created' : 'form.saved'))
      onSaved()
      await navigate({ to: '/audience/details/$id', params: { id } })
    },
    onSettled: () => setProgress(null),
  })
  return { saving, progress }
}

async function send(
  audience: AudienceDetails | null,
  { name, chosen }: { readonly name: string; readonly chosen: ChosenFile },
  onProgress: (part: number) => void,
) {
  const { file, column, kind, anyForm, sample } = chosen
  const columnName = column === null ? '' : (sample.columns[column] ?? '')
  const isUnique = sample.columns.filter((one) => one === columnName).length === 1
  const answer = await upload(uploadAudience, {
    file,
    onProgress,
    fields: {
      name,
      kind,
      ...(anyForm ? { phones: 'any' } : {}),
      ...(audience === null ? {} : { id: audience.id }),
      ...(column === null
        ? {}
        : { column: columnName !== '' && isUnique && !/^\d+$/.test(columnName) ? columnName : String(column) }),
    },
  })
  // A dry run alone has no id.
  if (!('id' in answer)) throw new Error('the upload made no audience')
  return answer
}
