import labels from '../locales/en/labels.json'
import { addEnglish } from '../add-texts.ts'

// Texts of labels of campaigns.
addEnglish({ labels })
