#pragma once

#include <array>

namespace bindery::model {

/// What the model found at some time, or was meant to find.
struct NamedScript {
  const char* name;
  const char* moves;
};

inline constexpr std::array<NamedScript, 49> kScripts{{
    {"AFileThatAToolPutsAside",
     "declare 0 1\ndeclare 1 1\nlook 0 0\nwait 0 5\naside 0 0\nwait 0 7\n"},
    {"ACheckoutOfAFileThatWasNotInTheIndex",
     "declare 2 0\nlibrary 0 0\nrename 2 0\ndeclare 1 0\nlibrary 0 0\nlook 0 0\n"
     "library 1 37\nwait 0 23\n"},
    {"ACopyThatChangesAManifestWhichComesBack",
     "declare 1 0\nrestart 0 1\ngit 0 54\ntwin 1 1\nlook 0 0\ngit 0 0\nwait 0 14\n"},
    {"AReadingThatAStandbyAnswers",
     "declare 0 1\nlook 0 0\nwait 0 5\nstandby 0 1\ndeclare 0 3\nlook 0 0\nwait 0 5\n"
     "break 0 1\nstandby 0 0\nwait 0 5\n"},
    {"AReadingThatAStandbyAnswersBehindAPoolerWithoutComments", R"(
declare 0 1
look 0 0
wait 0 5
standby 0 1
declare 0 3
look 0 0
wait 0 5
break 0 1
standby 1 0
wait 0 5
)"},
    {"AnotherIdForAMoment", R"(
declare 5 0
look 0 0
wait 0 5
lie 2 27
reconcile 5 0
wait 0 2
)"},
    {"AConflictCopyWithOtherMembers", R"(
declare 0 3
look 0 0
wait 0 5
twin 0 0
look 0 0
wait 0 5
)"},
    {"OtherContentUnderStampsThatProveNothing", R"(
swap 2 0
declare 2 1
look 0 0
wait 0 5
swap 2 5
wait 0 5
)"},
    {"OtherContentUnderTheSameStamps", R"(
declare 0 1
look 0 0
wait 0 5
swap 0 5
wait 0 5
)"},
    {"AStartRightAfterStampsThatProveNothing", R"(
swap 2 0
declare 2 5
declare 1 1
look 0 0
wait 0 5
swap 2 1
restart 0 1
)"},
    {"AVolumeThatIsMountedAgainInThePlace", R"(
declare 0 1
declare 2 1
look 0 0
wait 0 5
remount 0 1
wait 0 7
)"},
    {"AFolderThatIsMountedAgainInThePlace", R"(
declare 0 1
declare 2 1
look 0 0
wait 0 5
remount 0 2
wait 0 7
)"},
    {"ACheckoutOfALibraryThatIsKilled", R"(
declare 0 1
declare 1 1
look 0 0
wait 0 5
library 0 1
wait 0 7
)"},
    {"ACheckoutOfALibraryThatRenames", R"(
declare 0 1
declare 1 1
look 0 0
wait 0 5
library 0 17
wait 0 7
)"},
    {"ACheckoutOfALibraryInAKnownWorkTree", R"(
declare 0 1
declare 1 1
look 0 0
library 0 0
wait 0 5
library 0 0
look 0 0
library 0 1
wait 0 7
)"},
    {"AnUrgentDeletionWhileGitIsAtWork", R"(
declare 0 1
declare 1 1
look 0 0
wait 0 5
git 0 1
look 0 0
urgent 0 0
wait 0 2
)"},
    {"AStopInTheMiddleOfARewrite", R"(
declare 0 5
declare 1 1
look 0 0
wait 0 5
declare 0 1
look 0 0
stop 0 5
wait 0 0
)"},
    {"ARestartWithAManifestThatIsKeptOut", R"(
declare 0 48
look 0 0
declare 4 48
wait 0 5
restart 0 0
resume 0 0
)"},
    {"AManifestThatIsKeptOutAndMoves", R"(
declare 4 48
declare 0 51
look 0 0
transfer 0 1
look 0 0
)"},
    {"AManifestThatGoesWhileAProjectIsAskedFor", R"(
declare 2 0
hide 0 0
declare 4 48
wait 0 6
mend 0 0
drop 6 0
look 0 0
)"},
    {"AManifestThatMovesIntoABrokenFile", R"(
declare 0 3
look 0 0
wait 0 4
hide 0 8
look 0 0
wait 0 5
)"},
    {"AWriteWithoutAnAnswerThatLanded", R"(
declare 0 1
refuse 0 7
look 0 0
declare 0 0
)"},
    {"AWriteWithoutAnAnswerAndAnotherWriter", R"(
declare 3 0
refuse 1 7
look 0 0
foreign 1 0
delete 3 0
declare 0 0
)"},
    {"AFormerClaimOfWhatIsOnlyObserved", R"(
observe 0 7
declare 3 48
look 0 0
declare 3 16
clock 0 3
look 0 0
)"},
    {"AnEmptyAnswerInAnotherDirectory", R"(
declare 0 0
look 0 0
hide 0 8
mount 0 23
lie 0 39
look 0 0
wait 0 15
)"},
    {"AnEmptyAnswerAndAManifestThatIsGone", R"(
declare 0 0
look 0 0
hide 0 8
mount 0 23
lie 0 39
look 0 0
delete 0 0
wait 0 4
)"},
    {"AManifestThatIsDeletedDuringALongCheckout", R"(
declare 0 0
declare 1 0
restart 0 1
git 0 5
wait 0 7
delete 0 0
)"},
    {"AnotherDirectoryThatIsOnlyObserved", R"(
declare 0 0
lose 0 0
mount 0 5
observe 0 3
wait 0 4
observe 0 0
wait 0 5
)"},
    {"AVolumeThatIsGoneWhileAFileIsBroken", R"(
declare 0 0
declare 2 0
hide 0 0
restart 0 1
mount 0 19
wait 0 47
mend 0 0
wait 0 5
)"},
    {"ABrokenFileAndARestoredStore", R"(
snapshot 0 0
foreign 0 0
declare 0 0
break 0 0
restore 0 0
wait 0 6
)"},
    {"ADenialAndAManifestThatGoesLater", R"(
declare 0 0
look 0 0
mount 0 31
declare 0 7
restart 0 1
deny 0 0
delete 0 0
)"},
    {"ASuspendedManifestThatChangesItsRole", R"(
declare 0 48
look 0 0
suspend 0 0
declare 0 0
wait 0 6
mount 0 53
look 0 0
)"},
    {"AnUrgentManifestThatTakesOverARole", R"(
declare 0 0
declare 4 48
wait 0 6
declare 0 52
urgent 0 0
)"},
    {"ADenialAndAFileThatCannotBeRead", R"(
open 0 0
foreign 1 0
wait 0 54
mount 0 5
look 0 0
declare 3 16
slow 4 53
deny 0 0
mount 0 0
wait 0 14
)"},
    {"ARestoredStoreAndAManifestThatGoes", R"(
declare 2 0
declare 0 0
snapshot 0 0
look 0 0
lie 0 0
restore 0 0
delete 0 0
)"},
    {"ALostStoreAnotherDirectoryAndAnOutage", R"(
declare 3 0
restart 0 1
lie 4 48
lose 0 0
mount 0 5
wait 0 39
)"},
    {"AHiddenFileThatIsDeleted", R"(
declare 0 0
look 0 0
declare 5 0
git 0 13
look 0 0
git 0 0
hide 0 24
wait 0 6
drop 3 0
)"},
    {"ADenialAndModeObserve", R"(
declare 0 0
look 0 0
mount 0 31
declare 0 16
restart 0 1
mount 0 0
deny 0 0
observe 0 7
)"},
    {"APassThatLooksEachSecondPutOff", R"(
declare 0 48
look 0 0
lie 0 51
declare 1 0
git 0 0
wait 0 46
restart 0 0
wait 0 29
git 0 0
declare 0 0
clock 0 3
look 0 0
foreign 0 8
)"},
    {"AVolumeThatIsThereOnlyForAWhile", R"(
declare 2 0
git 0 0
restart 0 1
mount 0 45
look 0 0
declare 3 0
git 0 0
mount 0 0
declare 0 0
approve 0 0
look 0 0
mount 0 31
wait 0 6
)"},
    {"AnApprovalWhileARoleIsHeldBack", R"(
snapshot 0 0
declare 4 49
look 0 0
foreign 0 0
cut 0 16
declare 0 0
look 0 0
restore 0 0
)"},
    {"AnApprovalBesideAManifestThatLeaves", R"(
declare 4 48
slow 0 0
declare 0 0
look 0 0
snapshot 0 0
mount 0 63
declare 0 3
wait 0 0
restore 0 0
)"},
    {"AnApprovalBeforeAManifestIsKnownToBeGone",
     "declare 2 0\ndeclare 1 0\nrace 4 31\nlook 0 0\ndelete 7 0\n"
     "snapshot 0 0\nhide 0 0\nrestore 0 0\napprove 0 0\n"},
    {"AnEmptyAnswerRightAfterAWrite",
     "declare 2 26\nrace 0 0\nwait 0 14\ndeclare 2 51\nrestart 0 1\nlie 0 23\nwait 1 11\n"},
    {"AnEndMovedLaterIsNoRemoval",
     "declare 0 10\ndeclare 2 23\nwait 1 1\nrestart 0 1\n"
     "declare 2 62\nlook 0 0\ndeclare 0 57\ndeclare 2 23\n"},
    {"AFilePutAsideOverItsOwnCopy",
     "declare 2 0\nbackup 2 0\ndeclare 0 0\nlook 0 0\naside 2 16\nwait 1 15\n"},
    {"AnUrgentRemovalBeforeALookThatIsRefused",
     "declare 0 1\nslow 1 0\ndeclare 1 0\nlook 0 0\ndeclare 0 0\nrestart 0 1\nurgent 0 0\n"
     "git 0 1\nhide 1 27\nlook 0 0\nwait 1 0\n"},
    {"AnEmptyAnswerForLongWhileTheGuardAsks",
     "declare 2 1\nlook 0 0\nremount 0 1\nlook 0 0\ndrop 2 0\nlie 0 39\nrestart 0 1\n"
     "wait 0 22\n"},
    {"ACopyOfAManifestWithReferences", "declare 5 0\ntwin 1 0\nlook 0 0\n"},
}};

}  // namespace bindery::model
