import timeline from '../locales/en/timeline.json'
import { addEnglish } from '../add-texts.ts'

// Texts of a campaign's timeline.
addEnglish({ timeline })
