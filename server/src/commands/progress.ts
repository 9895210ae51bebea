// How far a long command is. `total` is null when it is not known.

export type Progress = { step: string; done: number; total: number | null };
export type OnProgress = (progress: Progress) => void;
