/* Leases, fencing and hand-over of replicas on one database, as docs/decisions/0025-leases-and-fencing.md describes them.
 *
 * 3 replicas share 2 shards. Shard 0 has one target in a cloud. Each option of a loop is one atomic step of a replica, of the
 * database, of the cloud, or of time, and every order of steps is tried. Nothing says how long a step takes: messages, answers and
 * processes are delayed without limit. The plan (which replica is wanted where) is any: a replica may acquire a free shard or
 * release its own at any time.
 *
 * Two parts, searched breadth first to a number of steps (run.sh):
 *   -DLEASES  sessions, clocks and shards. Without the writes.
 *   -DWRITES  shards and writes. Clocks of sessions are left out: any replica may steal from any other at any time, and sees at any
 *             time, or never, that its session is over. So what holds here needs no lease, and holds with leases too.
 *
 * Timers count ticks down. A tick may come between any two steps. All clocks run at the same rate.
 *
 * A -DMUTATION_… leaves a rule out; run.sh shows that each one is missed. */

#ifndef TRUST
#define TRUST 2 /* the holder trusts its session so long from sending a renewal: L - margin */
#endif
#ifndef STEAL
#define STEAL TRUST /* the stealer must have seen the same beat so long: L */
#endif
#ifndef W
#define W 1 /* from sending the intent's commit to sending the request */
#endif
#ifndef FAILOVERS
#define FAILOVERS 1
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef PAUSES
#define PAUSES 1
#endif
#ifndef GRANTS
#define GRANTS 2 /* of a shard, beyond the first, on each timeline */
#endif

#define R 3
#define NONE R
#define JUMP 4 /* more than the grants of a timeline */
#define EP(i, s) ep[(i) * 2 + (s)]
#define OBS(i, j) obs[(i) * R + (j)]

/* The database. dead[i] is of the session of replica i: only one session of a replica has shards at a time. */
byte epoch[2];
byte holder[2];
bit clean[2];  /* released by its holder, who had no call under way */
bit dead[R];
bit timeline;  /* 1 after the failover */
bit jumped;    /* the epochs are beyond those of the former timeline */
bit settled;   /* somebody has waited on this timeline */
bit generation;
bit confirmed; /* the directory was scanned on this timeline */
bit directory; /* the generation of the files */
bit first;     /* who held shard 1 at the beginning: what a standby that lags restores */

/* Replicas. */
bit up[R];
bit lost[R];     /* the session is over, the next step is a new one */
byte known[R];   /* the timeline it has seen; 2: none */
byte trust[R];   /* ticks until it fences itself */
byte renewal[R]; /* 0 none, 1 sent, 2 answered: good, 3 answered: session over */
byte credit[R];  /* the trust that this renewal gives if its answer comes now */
byte settle[R];  /* ticks to wait on a new timeline */
byte hush[R];    /* ticks until the first write to a shard that was not released cleanly */
byte ep[6];      /* the epoch in which it believes to hold the shard; 0: it does not */
byte obs[9];     /* 0: present beat not seen; STEAL + 1 down to 1: seen, 1: long enough */

/* The one write of a replica. 0 none, 1 computed, 2 intent sent, 3 intent committed, 4 checked and stopped before sending */
byte phase[R];
byte wepoch[R];
bit wgen[R];
bit wfresh[R]; /* its etag is the present one */
byte window[R];

/* Requests on the way to the cloud. */
bit used[2];
byte repoch[2];
bit rgen[2];
bit rfresh[2];

/* What the properties look at. */
byte highest[2]; /* epochs granted */
byte sent;       /* epoch of the newest holder that sent */
byte accepted;   /* the same, accepted */
bit enforced;    /* newest generation accepted */

byte crashes = CRASHES;
byte failovers = FAILOVERS;
byte pauses = PAUSES;
bit over;
bit started;

inline drop_write(i) {
  wepoch[i] = 0; wgen[i] = 0; wfresh[i] = 0; window[i] = 0; phase[i] = 0;
}

/* A thread that was stopped just before send() cannot be called back. */
inline lose_session(i) {
  lost[i] = 1; EP(i, 0) = 0; EP(i, 1) = 0; trust[i] = 0; renewal[i] = 0; credit[i] = 0; hush[i] = 0; settle[i] = 0;
  OBS(i, 0) = 0; OBS(i, 1) = 0; OBS(i, 2) = 0;
  if
  :: phase[i] != 4 -> drop_write(i)
  :: else
  fi
}

inline unseen(i) {
  OBS(0, i) = 0; OBS(1, i) = 0; OBS(2, i) = 0;
}

inline free_all(i) {
  if :: holder[0] == i -> holder[0] = NONE; clean[0] = 0 :: else fi;
  if :: holder[1] == i -> holder[1] = NONE; clean[1] = 0 :: else fi;
}

/* A new session. The first one on a timeline moves all epochs and frees all shards. */
inline join(i) {
  if
  :: timeline && !jumped ->
     jumped = 1;
#ifndef MUTATION_NO_JUMP
     epoch[0] = epoch[0] + JUMP; epoch[1] = epoch[1] + JUMP;
#endif
     holder[0] = NONE; holder[1] = NONE; clean[0] = 0; clean[1] = 0
  :: else -> free_all(i)
  fi;
  dead[i] = 0; unseen(i); lost[i] = 0; known[i] = timeline;
#ifdef WRITES
  trust[i] = TRUST
#elif !defined(MUTATION_NO_TIMELINE_WAIT)
  if
  :: !settled -> settle[i] = TRUST
  :: else
  fi
#endif
}

inline tick_of(i) {
#ifdef LEASES
  if :: trust[i] > 0 -> trust[i]-- :: else fi;
  if :: credit[i] > 0 -> credit[i]-- :: else fi;
  if :: settle[i] > 0 -> settle[i]-- :: else fi;
  if :: OBS(i, 0) > 1 -> OBS(i, 0)-- :: else fi;
  if :: OBS(i, 1) > 1 -> OBS(i, 1)-- :: else fi;
  if :: OBS(i, 2) > 1 -> OBS(i, 2)-- :: else fi
#else
  if :: hush[i] > 0 -> hush[i]-- :: else fi;
  if :: window[i] > 0 -> window[i]-- :: else fi
#endif
}

#define TRUSTS(k, s) (up[k] && trust[k] > 0 && EP(k, s) != 0)

inline acquire(i, s) {
#ifdef LEASES
  /* Nobody else believes to hold it. */
  assert((i == 0 || !TRUSTS(0, s)) && (i == 1 || !TRUSTS(1, s)) && (i == 2 || !TRUSTS(2, s)));
#endif
  epoch[s]++;
  /* Epochs never fall, and no number is given twice, on all timelines together. */
  assert(epoch[s] > highest[s]);
  highest[s] = epoch[s];
  holder[s] = i;
  EP(i, s) = epoch[s];
#if defined(WRITES) && !defined(MUTATION_NO_SUCCESSOR_WAIT)
  if
  :: s == 0 && !clean[s] -> hush[i] = W
  :: else
  fi;
#endif
  clean[s] = 0;
  settled = 1
}

inline put(i) {
  if
  :: !used[0] -> used[0] = 1; repoch[0] = wepoch[i]; rgen[0] = wgen[i]; rfresh[0] = wfresh[i]
  :: else -> used[1] = 1; repoch[1] = wepoch[i]; rgen[1] = wgen[i]; rfresh[1] = wfresh[i]
  fi;
  if
  :: wepoch[i] > sent -> sent = wepoch[i]
  :: else
  fi;
  drop_write(i)
}

inline clear(k) {
  used[k] = 0; repoch[k] = 0; rgen[k] = 0; rfresh[k] = 0
}

#define CONNECTED (up[i] && !lost[i] && started && !over)
#define CURRENT (known[i] == timeline && !dead[i])
#define CAN_ACQUIRE(s) (CONNECTED && CURRENT && holder[s] == NONE && settle[i] == 0 && trust[i] > 0 && epoch[s] <= GRANTS + jumped * JUMP)
#ifdef MUTATION_RELEASE_EARLY
#define CALLS_ENDED(s) true
#else
#define CALLS_ENDED(s) (s == 1 || phase[i] == 0)
#endif
#ifdef WRITES
#define LONG_ENOUGH(j) (i != j && !dead[j])
#elif defined(MUTATION_NO_STEAL_WAIT)
#define LONG_ENOUGH(j) (OBS(i, j) >= 1)
#else
#define LONG_ENOUGH(j) (OBS(i, j) == 1)
#endif
#ifdef MUTATION_EPOCH_ALONE
#define FENCE (epoch[0] == wepoch[i])
#else
#define FENCE (epoch[0] == wepoch[i] && holder[0] == i)
#endif
/* Who still waits before its first write cannot speak for the holder before it. */
#ifdef MUTATION_RELEASE_WITHIN_WAIT
#define WAITED 1
#else
#define WAITED (hush[i] == 0)
#endif
#ifdef MUTATION_NO_RESCAN
#define SCANNED true
#else
#define SCANNED confirmed
#endif
#ifdef MUTATION_NO_WINDOW
#define IN_TIME (trust[i] > 0)
#else
#define IN_TIME (trust[i] > 0 && window[i] > 0)
#endif
#define ROOM (!used[0] || !used[1])

inline observe(i, j) {
  OBS(i, j) = STEAL + 1
}

inline steal(i, j) {
  dead[j] = 1; unseen(j); free_all(j)
}

proctype Replica(byte i) {
  do
#ifdef LEASES
  /* Renewals. Each has a deadline; a lost one changes nothing. */
  :: d_step { CONNECTED && renewal[i] == 0 -> renewal[i] = 1; credit[i] = TRUST }
  :: d_step { CONNECTED && renewal[i] == 1 ->
       if
       :: known[i] != timeline -> renewal[i] = 3
#ifdef MUTATION_REVIVE
       :: known[i] == timeline -> dead[i] = 0; unseen(i); renewal[i] = 2
#else
       :: known[i] == timeline && dead[i] -> renewal[i] = 3
       :: known[i] == timeline && !dead[i] -> unseen(i); renewal[i] = 2
#endif
       fi }
  :: d_step { CONNECTED && renewal[i] == 2 ->
#ifdef MUTATION_TRUST_FROM_REPLY
       trust[i] = TRUST;
#else
       if :: credit[i] > trust[i] -> trust[i] = credit[i] :: else fi;
#endif
       renewal[i] = 0; credit[i] = 0 }
  :: d_step { CONNECTED && (renewal[i] == 1 || renewal[i] == 2) -> renewal[i] = 0; credit[i] = 0 }
  :: d_step { CONNECTED && renewal[i] == 3 -> lose_session(i) }
#else
  :: d_step { CONNECTED && !CURRENT -> lose_session(i) }
#endif
  :: d_step { up[i] && started && !over && lost[i] && phase[i] != 4 -> join(i) }

  /* Shards. */
#ifdef LEASES
  :: d_step { CONNECTED && CURRENT && i != 0 && OBS(i, 0) == 0 && !dead[0] -> observe(i, 0) }
  :: d_step { CONNECTED && CURRENT && i != 1 && OBS(i, 1) == 0 && !dead[1] -> observe(i, 1) }
  :: d_step { CONNECTED && CURRENT && i != 2 && OBS(i, 2) == 0 && !dead[2] -> observe(i, 2) }
#endif
  :: d_step { CONNECTED && CURRENT && LONG_ENOUGH(0) && (holder[0] == 0 || holder[1] == 0) -> steal(i, 0) }
  :: d_step { CONNECTED && CURRENT && LONG_ENOUGH(1) && (holder[0] == 1 || holder[1] == 1) -> steal(i, 1) }
  :: d_step { CONNECTED && CURRENT && LONG_ENOUGH(2) && (holder[0] == 2 || holder[1] == 2) -> steal(i, 2) }
  :: d_step { CAN_ACQUIRE(0) -> acquire(i, 0) }
  :: d_step { CAN_ACQUIRE(1) -> acquire(i, 1) }
  :: d_step { CONNECTED && CURRENT && EP(i, 0) != 0 && trust[i] > 0 && CALLS_ENDED(0) ->
       if :: holder[0] == i && epoch[0] == EP(i, 0) -> holder[0] = NONE; clean[0] = WAITED :: else fi;
       EP(i, 0) = 0 }
  :: d_step { CONNECTED && CURRENT && EP(i, 1) != 0 && trust[i] > 0 && CALLS_ENDED(1) ->
       if :: holder[1] == i && epoch[1] == EP(i, 1) -> holder[1] = NONE; clean[1] = 1 :: else fi;
       EP(i, 1) = 0 }

#ifdef WRITES
  /* A write: read and compute, send the intent, its transaction, send the request. */
  :: d_step { CONNECTED && phase[i] == 0 && EP(i, 0) != 0 && trust[i] > 0 && hush[i] == 0 ->
       phase[i] = 1; wepoch[i] = EP(i, 0); wgen[i] = generation; wfresh[i] = 1 }
  :: d_step { CONNECTED && phase[i] == 1 && trust[i] > 0 ->
       phase[i] = 2; window[i] = W }
  :: d_step { CONNECTED && phase[i] == 2 ->
       if
       :: known[i] != timeline -> lose_session(i)
       :: known[i] == timeline && FENCE && wgen[i] == generation && SCANNED ->
          assert(holder[0] == i); /* no state is changed but by the holder */
          phase[i] = 3
       :: known[i] == timeline && !FENCE -> EP(i, 0) = 0; drop_write(i)
       :: known[i] == timeline && FENCE && !(wgen[i] == generation && SCANNED) -> drop_write(i)
       fi }
  :: d_step { CONNECTED && phase[i] == 3 && IN_TIME && ROOM ->
       assert(wepoch[i] >= sent); /* no request of an epoch is sent after one of a later epoch */
       put(i) }
  :: d_step { CONNECTED && phase[i] == 3 && !IN_TIME -> drop_write(i) }
  /* Fault: stopped between check and send, for any time. */
  :: d_step { CONNECTED && phase[i] == 3 && IN_TIME && pauses > 0 -> pauses--; phase[i] = 4; window[i] = 0 }
  :: d_step { up[i] && started && !over && phase[i] == 4 && ROOM -> put(i) }
#endif
  od
}

inline deliver(k) {
#ifdef MUTATION_NO_ETAG
  if
  :: true ->
#else
  if
  :: rfresh[k] ->
#endif
     assert(rfresh[k]);            /* one accepted write a version of the etag */
     assert(repoch[k] >= accepted); /* none of a former holder after one of its successor */
     assert(rgen[k] >= enforced);  /* none of an older generation after a newer one */
     accepted = repoch[k];
     enforced = rgen[k];
     wfresh[0] = 0; wfresh[1] = 0; wfresh[2] = 0; rfresh[0] = 0; rfresh[1] = 0
#ifndef MUTATION_NO_ETAG
  :: else
#endif
  fi;
  clear(k)
}

#define RUNNING (started && !over)

inline crash(i) {
  lose_session(i); drop_write(i); lost[i] = 0; up[i] = 0; known[i] = 2
}

inline start(i) {
  up[i] = 1; trust[i] = TRUST
}

inline new_timeline() {
  failovers--; timeline = 1; jumped = 0; settled = 0; confirmed = 0
}

/* One fair round of a replica after the faults: what the protocol lets it do, it does. */
inline recover(i) {
  if
  :: up[i] ->
     if
     :: lost[i] || known[i] != timeline || dead[i] -> lose_session(i); phase[i] = 0; join(i)
     :: else
     fi;
     unseen(i); trust[i] = TRUST;
     if :: i != 0 && !dead[0] && OBS(i, 0) == 0 -> observe(i, 0) :: else fi;
     if :: i != 1 && !dead[1] && OBS(i, 1) == 0 -> observe(i, 1) :: else fi;
     if :: i != 2 && !dead[2] && OBS(i, 2) == 0 -> observe(i, 2) :: else fi;
     if :: OBS(i, 0) == 1 && !dead[0] -> steal(i, 0) :: else fi;
     if :: OBS(i, 1) == 1 && !dead[1] -> steal(i, 1) :: else fi;
     if :: OBS(i, 2) == 1 && !dead[2] -> steal(i, 2) :: else fi;
     if :: holder[0] == NONE && settle[i] == 0 -> acquire(i, 0) :: else fi;
     if :: holder[1] == NONE && settle[i] == 0 -> acquire(i, 1) :: else fi;
     if :: holder[0] == i && EP(i, 0) == 0 -> holder[0] = NONE; clean[0] = 0 :: else fi;
     if :: holder[1] == i && EP(i, 1) == 0 -> holder[1] = NONE; clean[1] = 0 :: else fi
  :: else
  fi
}

#define OWNED(s) (holder[s] != NONE && up[holder[s]] && EP(holder[s], s) == epoch[s])

byte round;

active proctype World() {
  /* Replica 0 has shard 0. Shard 1 is its own too, or that of replica 1. */
  d_step {
    start(0); start(1); start(2); settled = 1; confirmed = 1;
    epoch[0] = 1; epoch[1] = 1; highest[0] = 1; highest[1] = 1; holder[0] = 0; EP(0, 0) = 1
  }
  atomic {
    if
    :: holder[1] = 0; EP(0, 1) = 1
    :: first = 1; holder[1] = 1; EP(1, 1) = 1
    fi;
    run Replica(0); run Replica(1); run Replica(2);
    started = 1
  }
  do
  /* Time. */
  :: d_step { RUNNING -> tick_of(0); tick_of(1); tick_of(2) }
#ifdef WRITES
  /* The cloud: requests arrive in any order, or never. */
  :: d_step { RUNNING && used[0] -> deliver(0) }
  :: d_step { RUNNING && used[1] -> deliver(1) }
  :: d_step { RUNNING && used[0] -> clear(0) }
  :: d_step { RUNNING && used[1] -> clear(1) }
  /* The directory. */
  :: d_step { RUNNING && confirmed && !directory -> directory = 1; generation = 1 }
  :: d_step { RUNNING && !confirmed && jumped -> confirmed = 1; generation = directory }
#endif
  /* Faults. A crashed replica may come back as a new process, once its old session is over. */
  :: d_step { RUNNING && crashes > 0 && up[0] -> crashes--; crash(0) }
  :: d_step { RUNNING && crashes > 0 && up[1] -> crashes--; crash(1) }
  :: d_step { RUNNING && crashes > 0 && up[2] -> crashes--; crash(2) }
  :: d_step { RUNNING && !up[0] && (dead[0] || jumped) -> up[0] = 1; lost[0] = 1 }
  :: d_step { RUNNING && !up[1] && (dead[1] || jumped) -> up[1] = 1; lost[1] = 1 }
  :: d_step { RUNNING && !up[2] && (dead[2] || jumped) -> up[2] = 1; lost[2] = 1 }
  :: d_step { RUNNING && failovers > 0 -> new_timeline() }
  :: d_step { RUNNING && failovers > 0 -> new_timeline(); /* the standby has nothing of what happened */
       epoch[0] = 1; epoch[1] = 1; holder[0] = 0; holder[1] = first; clean[0] = 0; clean[1] = 0;
       dead[0] = 0; dead[1] = 0; dead[2] = 0; generation = 0 }
#ifdef LEASES
  /* The faults stop: after a few fair rounds every shard is owned. */
  :: d_step { RUNNING ->
       round = 0;
       do
       :: round < TRUST + STEAL + 3 ->
          recover(0); recover(1); recover(2);
          tick_of(0); tick_of(1); tick_of(2);
          round++
       :: else -> break
       od;
       assert(OWNED(0) && OWNED(1));
       round = 0; over = 1;
       epoch[0] = 0; epoch[1] = 0; highest[0] = 0; highest[1] = 0; holder[0] = 0; holder[1] = 0; clean[0] = 0; clean[1] = 0;
       crash(0); crash(1); crash(2); dead[0] = 0; dead[1] = 0; dead[2] = 0; unseen(0); unseen(1); unseen(2);
       timeline = 0; jumped = 0; settled = 0; generation = 0; confirmed = 0; directory = 0; first = 0;
       clear(0); clear(1); sent = 0; accepted = 0; enforced = 0; crashes = 0; failovers = 0; pauses = 0 }
#endif
  od
}
